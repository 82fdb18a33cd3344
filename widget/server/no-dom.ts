/**
 * In the place of Lit's simulated DOM, which would add names to the globals of the shop's process:
 * no view has a slot or a custom element.
 */
export class HTMLSlotElement {}
