import type { Method } from './request.ts';
import type { Sealed } from './sealed.ts';

/** A call of any operation with any body, as somebody wrote it out. */
export interface ApiCall {
  /** `HEAD` has an answer without a body. */
  method: Method | 'HEAD';
  /** As the catalog has it, with its placeholders. */
  path: string;
  params: Record<string, string>;
  /** Names and values in their order; a name may come several times. */
  query: readonly (readonly [string, string])[];
  /** Those of the token and of the tool are added. */
  headers: Record<string, string>;
  /** Opens the body for one attempt; undefined where it was open before and cannot be opened again. */
  open?(): ApiBody | undefined;
  /** The secret part of the body. */
  secrets?: readonly Sealed[];
}

export type ApiBody = string | AsyncIterable<Uint8Array>;

/** Any success, with its body still to come. What goes wrong while its parts are read is an error for people. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  parts: AsyncIterable<Uint8Array>;
}
