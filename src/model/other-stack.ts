import type { Ledger } from './ledger.ts';

/** Another stack of the same store and account, with what it says it owns. A claim can only make a plan refuse, so nobody has to verify it. */
export interface OtherStack {
  stack: string;
  entries: Ledger['entries'];
  /** When its ledger was written last, in milliseconds, by the clock of whoever wrote it. */
  writtenAt?: number;
  /** The run that wrote it, as it says of itself: text for people. */
  lastRun?: string;
  /** The key of this run signed it: what it remembers of an object that is handed over is believed, too. */
  isVerified: boolean;
}
