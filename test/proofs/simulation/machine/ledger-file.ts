/** The file of a ledger, which outlives the processes that use it. */
export type LedgerFile = {
  /** What SQLite opens. */
  address(): string;
  /** Notes that a durable commit was written: this commit and all before it are synced. */
  noteSynced(): void;
  /** Copies the write-ahead log into the file, as SQLite does now and then. */
  checkpoint(): void;
  /** Removes everything that is not synced. Every connection must be closed first. */
  powerCut(): void;
  /** @returns the name of a copy as of now */
  backup(): string;
  /** Puts a copy in the ledger's place. Every connection must be closed first. */
  restore(copy: string): void;
  /** Deletes the ledger and its copies. */
  remove(): void;
};
