/* Finds the touching pairs of a few grains, in open space and in a sheared periodic box, uses the detector again, and stops it. */
#include <multigrain.h>
#include <stdio.h>

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, mg_last_error());
    return 1;
}

static void print(const mg_pairs *pairs) {
    const uint32_t *indices = mg_pairs_indices(pairs);
    const int32_t *shifts = mg_pairs_shifts(pairs);
    for (size_t k = 0; k < mg_pairs_count(pairs); k++) {
        printf("%u %u", indices[2 * k], indices[2 * k + 1]);
        if (shifts) {
            printf(" (%d %d %d)", shifts[3 * k], shifts[3 * k + 1], shifts[3 * k + 2]);
        }
        printf("\n");
    }
}

static bool is_cancelled(void *data) {
    return *(const bool *)data;
}

int main(void) {
    const double centers[] = {0.1, 0.5, 0.5, 0.9, 0.5, 0.5, 0.5, 0.5, 0.9};
    const double radii[] = {0.15, 0.10, 0.30};
    const double edges[] = {1, 0, 0, 0.3, 1, 0, 0, 0, 1};
    mg_system grains = {.dimension = 3, .count = 3, .centers = centers, .radii = radii};

    mg_detector *detector = mg_detector_new(3, NULL);
    if (!detector) {
        return fail("mg_detector_new");
    }
    mg_pairs *pairs = mg_pairs_new();
    if (mg_find_pairs(detector, &grains, pairs) != MG_STATUS_OK) {
        return fail("open space");
    }
    printf("%zu in open space\n", mg_pairs_count(pairs));
    grains.edges = edges;
    if (mg_find_pairs(detector, &grains, pairs) != MG_STATUS_OK) {
        return fail("periodic");
    }
    printf("%zu in a sheared box\n", mg_pairs_count(pairs));
    print(pairs);
    bool cancelled = true;
    mg_detector_set_stop(detector, is_cancelled, &cancelled);
    if (mg_find_pairs(detector, &grains, pairs) != MG_STATUS_STOPPED || mg_pairs_count(pairs) != 0) {
        return fail("a search that is asked to stop must stop");
    }
    printf("stopped: %s\n", mg_last_error());
    cancelled = false;
    if (mg_find_pairs(detector, &grains, pairs) != MG_STATUS_OK || mg_pairs_count(pairs) != 1) {
        return fail("after a stop");
    }
    grains.margin = -1;
    if (mg_find_pairs(detector, &grains, pairs) != MG_STATUS_INVALID_INPUT) {
        return fail("a negative margin must be refused");
    }
    printf("refused: %s\n", mg_last_error());
    const double tiny[] = {1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3};
    grains.edges = tiny;
    grains.margin = 0;
    if (mg_find_pairs(detector, &grains, pairs) != MG_STATUS_INVALID_INPUT) {
        return fail("a box far smaller than the grains must be refused");
    }
    printf("refused: %s\n", mg_last_error());
    mg_pairs_free(pairs);
    mg_detector_free(detector);
    return 0;
}
