/** Why a verb did nothing; whoever asked can do something about it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
