import type { Address } from '../model/address.ts';
import type { WrittenValue } from './edit-value.ts';

/** An edit of data that makes an accepted value: of a cell, a variable or an input. Or the removal of a row. */
export interface OriginEdit {
  /** The same for all edits of one place. */
  id: string;
  /** The objects that get the value, and the field with its new value. Absent for a removed row. */
  value?: { addresses: Address[]; path: string[]; after: WrittenValue };
}

/** The edits of data that must not be made, by their ids, each with the reason for people. */
export type RefusedOrigins = ReadonlyMap<string, string>;
