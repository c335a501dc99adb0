import type { Address } from './address.ts';
import type { FieldChange } from './change.ts';

/** A difference after a run that the run did not write. A secret's sides are sealed. */
export type SideEffect = { address: Address; kind: string } & (
  | { type: 'appeared' | 'gone' }
  | ({ type: 'changed' } & Pick<FieldChange, 'path' | 'before' | 'after' | 'secret'>)
);
