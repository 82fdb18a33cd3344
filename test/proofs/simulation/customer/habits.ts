/** What customers do, each by one habit. A new habit is a file here and a line in two lists. */
import { changeBasket, soldOut } from './changing.js';
import { guess } from './guessing.js';
import type { HabitName } from './habit-names.js';
import type { Habit } from './habit.js';
import { abandon, decline, late, plain } from './paying.js';
import { doubleClick, reload, replay, tabs } from './repeating.js';
import { switchOption } from './switching.js';

export const habits: Readonly<Record<HabitName, Habit>> = {
  plain,
  double_click: doubleClick,
  tabs,
  reload,
  replay,
  switch: switchOption,
  guess,
  late,
  decline,
  abandon,
  sold_out: soldOut,
  change_basket: changeBasket,
};
