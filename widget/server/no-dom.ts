/**
 * The build replaces Lit's simulated DOM by this file, because the simulated DOM would add names to
 * the globals of the shop's process. An empty class is enough: no view has a slot or a custom
 * element.
 */
export class HTMLSlotElement {}
