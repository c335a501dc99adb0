import * as z from 'zod';
import { quoted } from '../../config/suggest.ts';
import { entriesOf, isText, type Node } from '../../config/yaml/nodes.ts';
import { parentOf } from '../../kind/define-kind.ts';
import { findAddressKind } from '../../kind/find-address-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import { collectionId, type Live } from '../../model/resource.ts';
import { type AssertionKind, assertionKind, type Mismatch, type TestOutcome } from './assertion.ts';
import { addressSchema, compareWrittenFields, uniqueMismatches } from './change-assertions.ts';
import { addressHint, matchAddresses } from './match-addresses.ts';

const accountSchema = z.record(
  addressSchema,
  z.union([z.enum(['present', 'absent']), z.record(z.string(), z.unknown())]),
);

/** The assertions about the account after an apply. */
export const accountAssertions: Record<string, AssertionKind> = {
  account: assertionKind<z.infer<typeof accountSchema>>({
    schema: accountSchema.describe(
      'The objects of the account after the apply, by address or glob: `present`, `absent`, or values of fields.',
    ),
    needs: ({ apply }) => (apply ? undefined : '`apply: true`: it is about the account after an apply'),
    createCheck: (_, place) => (outcome) =>
      entriesOf(place.nodeAt()).flatMap(({ key, value }) =>
        checkAccountObject(key.text, value, outcome).map((mismatch) => ({ spot: key.at, ...mismatch })),
      ),
  }),
};

/**
 * Checks for `expect` of `trueup test` that the account has objects at an address or glob after the apply, with the fields that the test
 * states, or that it has none. `expected`: the value in the test file: `present`, `absent`, or a map of fields.
 */
function checkAccountObject(glob: string, expected: Node, { after, kinds }: TestOutcome): Mismatch[] {
  if (!after) return [{ message: 'nothing was applied', isUnchecked: true }];
  const { live } = after;
  const objects = [...live.resources.values()];
  const matches = matchAddresses(glob, objects, kinds);
  if (isText(expected) && expected.text === 'absent')
    return matches.length > 0
      ? [{ message: 'the account has an object that must be absent', actual: matches[0]!.address }]
      : findDoubtOfAbsence(glob, live, kinds);
  if (matches.length === 0)
    return [{ message: `the account has nothing at ${quoted(glob)}`, hint: addressHint(glob, objects) }];
  if (isText(expected)) return [];
  return uniqueMismatches(
    matches.flatMap(({ address, fields, kind }) =>
      compareWrittenFields(expected, { address, fields, kind: kinds.get(kind)! }),
    ),
  );
}

/**
 * Returns a mismatch if nothing shows that an object is absent. A plan reads only the parts of the account that the configuration and the
 * ledger mention, so an object in another part, or one with a misspelled address, would seem to be absent. An object is surely absent if
 * its list was read completely or its parent is absent. A glob can name anything, so it is not checked.
 */
function findDoubtOfAbsence(glob: string, live: Live, kinds: Kinds): Mismatch[] {
  if (/[*?[{]/.test(glob)) return [];
  const kind = findAddressKind(glob, kinds);
  if ('message' in kind) return [{ message: `${quoted(glob)} is no address: ${kind.message}` }];
  const parent = parentOf(glob, kind);
  const isCollectionRead = live.complete.has(collectionId(kind.name, parent));
  const isParentAbsent = parent !== undefined && !live.resources.has(parent);
  if (isCollectionRead || isParentAbsent) return [];
  return [
    {
      message: `the plan did not read the objects of the kind ${kind.name} there, so it is not certain that ${quoted(glob)} is absent`,
    },
  ];
}
