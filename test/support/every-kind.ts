import { stringify } from 'yaml';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { bodyOf, casesOf } from './field-cases.ts';
import { merged } from './samples.ts';

/** The YAML of every kind, or of some, with all its fields, as they are in this step: set in 0, changed in 1. */
export function everyKind(of: Kind[] = kinds): (step: number) => string {
  // Half of the cases are all fields once.
  const all = of.map((kind) => ({
    kind,
    cases: casesOf(kind).filter(({ label }) => !label.endsWith('set')),
  }));
  return (step) => stringify(merged(...all.map(({ kind, cases }) => bodyOf(kind, cases, step))));
}
