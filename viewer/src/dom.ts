// Making elements.

type Child = Node | string;

/** An element with properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}

/** A control with its name beside it. */
export function labelled(name: string, control: HTMLElement): HTMLLabelElement {
  return make("label", { className: "row" }, make("span", {}, name), control);
}

/** A box to tick. */
export function tick(name: string, title: string, changed: (isOn: boolean) => void): { row: HTMLLabelElement; input: HTMLInputElement } {
  const input = make("input", { type: "checkbox" });
  input.addEventListener("change", () => changed(input.checked));
  return { row: make("label", { className: "tick", title }, input, name), input };
}

/** A choice among words. */
export function choice(options: readonly string[], changed: (value: string) => void): HTMLSelectElement {
  const select = make("select");
  setOptions(select, options);
  select.addEventListener("change", () => changed(select.value));
  return select;
}

export function setOptions(select: HTMLSelectElement, options: readonly string[]): void {
  const value = select.value;
  select.replaceChildren(...options.map((option) => make("option", { value: option }, option)));
  if (options.includes(value)) select.value = value;
}

/** A slider. */
export function slider(min: number, max: number, step: number, changed: (value: number) => void): HTMLInputElement {
  const input = make("input", { type: "range", min: String(min), max: String(max), step: String(step) });
  input.addEventListener("input", () => changed(Number(input.value)));
  return input;
}

export function button(text: string, title: string, pressed: () => void): HTMLButtonElement {
  const element = make("button", { type: "button", title }, text);
  element.setAttribute("aria-label", title);
  element.addEventListener("click", pressed);
  return element;
}
