// One set of grains against another, in the plane.
#include <cstdio>
#include <memory>
#include <multigrain.h>
#include <stdexcept>
#include <vector>

struct Free {
    void operator()(mg_detector *detector) const { mg_detector_free(detector); }
    void operator()(mg_pairs *pairs) const { mg_pairs_free(pairs); }
};

static void check(mg_status status) {
    if (status != MG_STATUS_OK) {
        throw std::runtime_error(mg_last_error());
    }
}

int main() {
    const std::vector<double> grains{0.0, 0.0, 0.5, 0.0, 9.0, 0.0}, probes{9.4, 0.0, 0.9, 0.0};
    const std::vector<double> sizes{0.5, 0.5, 0.5}, small{0.1, 0.1};
    mg_system a{}, b{};
    a.dimension = b.dimension = 2;
    a.count = sizes.size(), a.centers = grains.data(), a.radii = sizes.data();
    b.count = small.size(), b.centers = probes.data(), b.radii = small.data();

    std::unique_ptr<mg_detector, Free> detector{mg_detector_new(2, "hgrid")};
    std::unique_ptr<mg_pairs, Free> pairs{mg_pairs_new()};
    check(mg_find_pairs_between(detector.get(), &a, &b, pairs.get()));
    const uint32_t *indices = mg_pairs_indices(pairs.get());
    for (size_t k = 0; k < mg_pairs_count(pairs.get()); k++) {
        std::printf("grain %u touches probe %u\n", indices[2 * k], indices[2 * k + 1]);
    }
    if (mg_detector_new(4, nullptr) || mg_detector_new(2, "no-such-method")) {
        return 1;
    }
    std::printf("refused: %s\n", mg_last_error());
}
