import type { Kind } from '../kind/kind.ts';
import type { FieldTraits } from '../kind/traits.ts';

type Words = {
  [T in keyof Required<FieldTraits>]: (value: NonNullable<FieldTraits[T]>, kind: Kind) => string | undefined;
};

/** Every trait in plain words, in the order in which they are told; those that the field's type tells are silent. */
const words: Words = {
  immutable: (value, { lifecycle: { replace } }) => {
    const what = value === true ? 'immutable: a change' : 'immutable from some values: such a change';
    return replace === 'never' ? `${what} is refused` : `${what} replaces`;
  },
  writeOnly: () => 'write-only: cannot be read back, compared with what was last applied',
  readMayLack: () => 'some answers leave it out: then compared with what was last applied',
  secret: (value) =>
    value === true ? 'secret: never shown' : 'secret: never shown, unless other fields say that it is none',
  unordered: () => 'set: order does not matter',
  whereDeclared: (names) => `${names.join(' and ')} of an item: compared only where declared`,
  atomic: () => 'compared and sent as a whole',
  safeguard: () => undefined,
  emptyCounts: () => 'an empty value says something else than none',
  ref: () => undefined,
  softRef: (kind) => `may name a ${kind}: a declared one comes first`,
  within: (kind) => `inside the ${kind} of that name, which comes first`,
  createOnly: () => 'only at creation: never compared, never sent again',
  updateOnly: () => 'sent after creation, in a second request',
  local: () => 'a label of this configuration: the platform never learns it',
  insteadOf: () => undefined,
  known: () => undefined,
};

/** What a field's traits mean for whoever writes it. */
export function traitWords(traits: FieldTraits, kind: Kind): string[] {
  return Object.entries(words).flatMap(([name, tell]) => {
    const value = traits[name as keyof FieldTraits];
    return value === undefined
      ? []
      : ((tell as (value: unknown, kind: Kind) => string | undefined)(value, kind) ?? []);
  });
}
