/** Where a customer finds help: a page, or an address to write to or to call. */
export const isHelpUrl = (link = ''): link is string => /^(https?|mailto|tel):/i.test(link);
