import * as z from 'zod';
import { hintFor, quoted } from '../../config/suggest.ts';
import { entriesOf, isText, memberOf, type Node } from '../../config/yaml/nodes.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { actions, type Change } from '../../model/change.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { globFault } from '../../model/glob.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import type { Plan } from '../../model/plan.ts';
import { atPath, type Fields, namesInPath } from '../../model/value.ts';
import { sentAddressesIn } from '../../report/plan-notes.ts';
import {
  type AssertionKind,
  assertionKind,
  type Mismatch,
  type TestOutcome,
  withoutPlan,
} from './assertion.ts';
import { compareWithNode } from './compare-value.ts';
import { addressHint, matchAddresses, maxListedObjects } from './match-addresses.ts';

/** The schema of an address or a glob of addresses in a test file. */
export const addressSchema = z
  .string()
  .min(1)
  .refine(
    (glob) => globFault(glob) === undefined,
    'an address looks like `projects/web/env/LOG_LEVEL`, or `projects/*`',
  );

/** The words for the change of an object: the action of a plan, or `none` if nothing is sent for it. */
const expectedActionSchema = z.enum([...actions.filter((action) => action !== 'noop'), 'none']);
const fieldsSchema = z.record(z.string(), z.unknown());

const expectedChangeSchema = z.union([
  expectedActionSchema,
  z.strictObject({
    action: expectedActionSchema
      .optional()
      .describe('What the plan does with the object; `none` if it sends nothing for it.'),
    fields: fieldsSchema
      .optional()
      .describe(
        'Values that the object will have, by the names or dotted paths of fields. Of a map, only the written members count; `null` stands for no value.',
      ),
  }),
]);
const changesSchema = z.record(addressSchema, expectedChangeSchema);

/** The assertions about the changes of single objects. */
export const changeAssertions: Record<string, AssertionKind> = {
  changes: assertionKind<z.infer<typeof changesSchema>>({
    schema: changesSchema.describe(
      'What happens to objects, by address or glob: `projects/web: update`, or `{ action, fields }`.',
    ),
    createCheck: (_, place) => (outcome) =>
      entriesOf(place.nodeAt()).flatMap(({ key, value }) =>
        checkChange(key.text, value, outcome).map((mismatch) => ({ spot: key.at, ...mismatch })),
      ),
  }),
};

/**
 * Checks for `expect` of `trueup test` what the plan does with the objects at an address or glob, and the fields that they have afterwards.
 * `expected`: the value in the test file, an action such as `create` or a map.
 */
function checkChange(glob: string, expected: Node, { planned, kinds }: TestOutcome): Mismatch[] {
  if (!planned) return withoutPlan();
  const { plan } = planned;
  const changes = matchAddresses(glob, plan.changes, kinds);
  if (changes.length === 0)
    return [
      {
        message: `neither the configuration nor the plan has anything at ${quoted(glob)}`,
        hint: addressHint(glob, plan.changes),
      },
    ];
  const actionOf = createActionLookup(plan);
  const action = isText(expected) ? expected.text : actionText(memberOf(expected, 'action'));
  const mismatches = action === undefined ? [] : checkAction(action, glob, changes, actionOf);
  const fields = memberOf(expected, 'fields');
  if (mismatches.length > 0 || !fields) return mismatches;
  // A glob can also match unchanged objects, which need not have the fields that others get by the action.
  const compared =
    action === undefined || action === 'none'
      ? changes
      : changes.filter((change) => actionOf(change) === action);
  return uniqueMismatches(compared.flatMap((change) => checkChangedFields(change, fields, kinds)));
}

/**
 * Creates the function which returns the action of a change as tests name it: `none` for one that sends nothing, because it only records an
 * object.
 */
function createActionLookup(plan: Plan): (change: Change) => string {
  const sentAddresses = sentAddressesIn(plan);
  return ({ action, address }) => {
    const isOnlyRecorded = action === 'adopt' && !sentAddresses.has(address);
    return action === 'noop' || isOnlyRecorded ? 'none' : action;
  };
}

const actionText = (node: Node | undefined): string | undefined =>
  node && isText(node) ? node.text : undefined;

/**
 * Checks for `expect` of `trueup test` the action of changes. With `none`, nothing may be sent for any of them. Any other action must be
 * that of at least one, and the others must be unchanged, so that a glob does not hide an unexpected change. `actionOf`: the action, or
 * `none` for a change that sends nothing.
 */
function checkAction(
  action: string,
  glob: string,
  changes: readonly Change[],
  actionOf: (change: Change) => string,
): Mismatch[] {
  // An adoption that sends nothing may be called `adopt` or `none`.
  const isExpected = (change: Change) => actionOf(change) === action || change.action === action;
  const unexpected = changes.filter((change) => !isExpected(change) && actionOf(change) !== 'none');
  if (unexpected.length === 0 && (action === 'none' || changes.some(isExpected))) return [];
  const shown = unexpected.length > 0 ? unexpected : changes;
  const listed = shown.map((change) => `${actionOf(change)} ${change.address}`);
  return [
    {
      message: `the change of ${quoted(glob)} differs`,
      expected: action,
      actual: listFirst(listed, maxListedObjects),
    },
  ];
}

/**
 * Compares for `expect` of `trueup test` the expected fields with those that an object has after its change, as reports show them: a secret
 * that the configuration has in clear is hidden (`shownFields`). `expected`: the map under `fields` of the test.
 */
function checkChangedFields(change: Change, expected: Node, kinds: Kinds): Mismatch[] {
  const { address, after, shownFields, kind } = change;
  if (!after) return [{ message: `${quoted(address)} has no fields after the plan: ${change.action}` }];
  return compareWrittenFields(expected, {
    address,
    fields: shownFields ?? after.fields,
    kind: kinds.get(kind)!,
  });
}

/**
 * Compares the fields of an object with those that a test file states under `fields` (`expected`), for `expect` of `trueup test`; other
 * fields do not count. A field that its kind does not have is a mismatch, because it could never have a value.
 */
export const compareWrittenFields = (
  expected: Node,
  { address, fields, kind }: { address: Address; fields: Fields; kind: Kind },
): Mismatch[] =>
  entriesOf(expected).flatMap(({ key, value }) => {
    const [field] = namesInPath(key.text);
    if (!Object.hasOwn(kind.fields, field!))
      return [
        {
          message: `the kind ${kind.name} has no field ${quoted(field!)}`,
          hint: hintFor(field!, Object.keys(kind.fields)),
          spot: key.at,
        },
      ];
    const name = `${key.text} of ${addressWithoutTarget(address)}`;
    return compareWithNode(value, atPath(fields, key.text), name);
  });

/**
 * Returns the mismatches of a test without repetitions, because the targets of a variable (`env/A@production`, `env/A@preview`) usually
 * differ in the same way.
 */
export const uniqueMismatches = (mismatches: readonly Mismatch[]): Mismatch[] => [
  ...new Map(
    mismatches.map((mismatch) => [
      JSON.stringify([mismatch.message, mismatch.expected, mismatch.actual]),
      mismatch,
    ]),
  ).values(),
];
