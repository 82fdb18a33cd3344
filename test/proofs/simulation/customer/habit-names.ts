/** The habits of customers, by name. */
export const habitNames = [
  'plain',
  'double_click',
  'tabs',
  'reload',
  'replay',
  'switch',
  'guess',
  'late',
  'decline',
  'abandon',
  'sold_out',
  'change_basket',
] as const;

export type HabitName = (typeof habitNames)[number];
