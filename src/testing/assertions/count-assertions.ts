import * as z from 'zod';
import type { Change } from '../../model/change.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { addressWithoutTarget, groupLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan, Summary } from '../../model/plan.ts';
import { withoutPlaceholderNames } from '../../model/request.ts';
import { sentAddressesIn, summarizePlan } from '../../report/plan-notes.ts';
import { countPlannedRequests } from '../../report/request-text.ts';
import { cleanLine } from '../../report/text.ts';
import { type AssertionKind, assertionKind, type Mismatch, withoutPlan } from './assertion.ts';

/** The schema of an expected number: the number itself, or its bounds. */
const wholeNumberSchema = z.int().min(0, 'a number of objects or requests cannot be negative');
const expectedCountSchema = z.union([
  wholeNumberSchema,
  z
    .strictObject({ min: wholeNumberSchema.optional(), max: wholeNumberSchema.optional() })
    .refine(({ min, max }) => min !== undefined || max !== undefined, 'give `min`, `max` or both'),
]);
type ExpectedCount = z.infer<typeof expectedCountSchema>;

/**
 * The counts of a plan that a test can state, by their members in the summary that `plan` prints. `noun`: the counted objects, as in "5 to
 * create".
 */
const counts = {
  create: { noun: 'to create', describes: 'How many objects the plan creates.' },
  update: {
    noun: 'to update',
    describes: 'How many objects the plan changes, with adopted ones that it changes.',
  },
  delete: {
    noun: 'to delete',
    describes: 'How many objects the plan deletes, with the contents of deleted containers.',
  },
  replace: { noun: 'to replace', describes: 'How many objects the plan deletes and creates again.' },
  adopt: {
    noun: 'to adopt',
    describes: 'How many objects of the account the plan adopts, changed or not.',
  },
  move: { noun: 'to move', describes: 'How many objects change their place.' },
  release: {
    noun: 'to release',
    describes: 'How many objects stay in the account and are not managed any more.',
  },
  unmanaged: { noun: 'not managed', describes: 'How many objects of the account no stack manages.' },
};
type CountName = keyof typeof counts;

/** Returns a count of a plan from its summary. An adopted object that the plan changes counts as adopted and as updated. */
const countOf = (name: CountName, summary: Summary): number =>
  name === 'update' ? summary.update + summary.adoptAndUpdate : summary[name];

const requestsSchema = z.union([
  ...expectedCountSchema.options,
  z.array(z.string().regex(/^[A-Z]+ \/\S+$/, 'a request looks like `POST /v10/projects`')),
]);

/** The assertions about the numbers of a plan: `create`, `update` and so on, and `requests`. */
export const countAssertions: Record<string, AssertionKind> = {
  ...Object.fromEntries(
    (Object.keys(counts) as CountName[]).map((name) => [
      name,
      assertionKind<ExpectedCount>({
        schema: expectedCountSchema.describe(counts[name].describes),
        createCheck:
          (expected) =>
          ({ planned }) => {
            if (!planned) return withoutPlan();
            const actual = countOf(name, summarizePlan(planned.plan));
            const mismatches = compareCount(expected, actual, `objects ${counts[name].noun}`);
            return mismatches.map((mismatch) => ({
              ...mismatch,
              hint: changesHint(planned.plan, name),
            }));
          },
      }),
    ]),
  ),
  requests: assertionKind<z.infer<typeof requestsSchema>>({
    schema: requestsSchema.describe(
      'How many requests an apply sends, or the operations of all of them in any order: `[POST /v10/projects, "PATCH /v9/projects/{}/env/{}"]`.',
    ),
    createCheck:
      (expected) =>
      ({ planned }) => {
        if (!planned) return withoutPlan();
        if (Array.isArray(expected)) return compareRequests(expected, planned.plan);
        const mismatches = compareCount(expected, countPlannedRequests(planned.plan).total, 'requests');
        return mismatches.map((mismatch) => ({ ...mismatch, hint: requestsHint(planned.plan) }));
      },
  }),
};

/**
 * Returns the mismatch of a count for `expect` of `trueup test` (`delete: 0`), if it is not the expected number or not within the expected
 * bounds. `counted`: the counted things, for the message.
 */
function compareCount(expected: ExpectedCount, actual: number, counted: string): Mismatch[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } =
    typeof expected === 'number' ? { min: expected, max: expected } : expected;
  if (actual >= min && actual <= max) return [];
  const range = [
    ...(min > 0 ? [`at least ${min}`] : []),
    ...(max < Number.POSITIVE_INFINITY ? [`at most ${max}`] : []),
  ];
  return [
    {
      message: `the number of ${counted} differs`,
      expected: typeof expected === 'number' ? String(expected) : range.join(' and '),
      actual: String(actual),
    },
  ];
}

/** Returns the operations of the API that an apply of a plan calls: `DELETE /v9/projects/{idOrName}/env/{id}`. */
const endpointsOf = ({ operations }: Plan): string[] =>
  operations.flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint));

const maxListedInHint = 12;

/**
 * Lists the changes of a count (`name`, such as `create`) in a hint of a failed test, so that the reader sees which ones are too many: `to
 * create: projects/web, projects/wbe`. A change counts as its assertion counts it: an adoption that sends requests is an update, too.
 */
function changesHint(plan: Plan, name: CountName): string | undefined {
  const sentAddresses = sentAddressesIn(plan);
  const countsOf = ({ action, address, changesLedgerOnly }: Change): string[] => {
    if (changesLedgerOnly) return [];
    if (action === 'adopt') return sentAddresses.has(address) ? ['adopt', 'update'] : ['adopt'];
    return [action === 'forget' ? 'release' : action];
  };
  const counted = groupLogicalChanges(plan.changes.filter((change) => countsOf(change).includes(name)));
  if (counted.length === 0) return undefined;
  const addresses = counted.map(([change]) => addressWithoutTarget(change!.address));
  return `${counts[name].noun}: ${listFirst(addresses, maxListedInHint)}`;
}

/** Lists the requests of a plan in a hint, so that the reader sees which ones are too many. */
function requestsHint(plan: Plan): string | undefined {
  const endpoints = endpointsOf(plan);
  return endpoints.length === 0 ? undefined : `the plan sends ${listFirst(endpoints, maxListedInHint)}`;
}

/**
 * Compares the requests of a plan with the list of all requests that a test expects (`requests: [POST /v11/projects]`), without their
 * order. Placeholders such as `{project}` may have any names.
 */
function compareRequests(expected: readonly string[], plan: Plan): Mismatch[] {
  const actual = endpointsOf(plan);
  const toText = (endpoints: readonly string[]) => endpoints.map(withoutPlaceholderNames).sort().join('\n');
  if (toText(expected) === toText(actual)) return [];
  return [
    {
      message: 'the requests differ',
      expected: expected.length === 0 ? 'none' : cleanLine(expected.join(', ')),
      actual: actual.length === 0 ? 'none' : actual.join(', '),
    },
  ];
}
