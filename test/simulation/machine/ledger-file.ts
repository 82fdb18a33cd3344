/** The file of a ledger, which outlives the processes that use it. */
export type LedgerFile = {
  /** What SQLite opens. */
  address(): string;
  /** A durable commit was written: it and all before it are synced. */
  noteSynced(): void;
  /** Copies the write-ahead log into the file, as SQLite does now and then. */
  checkpoint(): void;
  /** Loses what is not synced. Every connection must be closed first. */
  powerCut(): void;
  /** @returns the name of a copy as of now */
  backup(): string;
  /** Puts a copy in the ledger's place. Every connection must be closed first. */
  restore(copy: string): void;
  /** Gives everything back. */
  remove(): void;
};
