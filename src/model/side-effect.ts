import type { Address } from './address.ts';
import type { FieldChange } from './change.ts';

/** What is different after a run that did not write it. A secret's sides are sealed. */
export type SideEffect = { address: Address; kind: string } & (
  | { type: 'appeared' | 'gone' }
  | ({ type: 'changed' } & Pick<FieldChange, 'path' | 'before' | 'after' | 'secret'>)
);
