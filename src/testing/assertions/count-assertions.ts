import * as z from 'zod';
import { addressWithoutTarget, groupLogicalChanges } from '../../model/logical-changes.ts';
import type { Plan, Summary } from '../../model/plan.ts';
import { summarizePlan } from '../../report/plan-notes.ts';
import { countPlannedRequests } from '../../report/request-text.ts';
import { cleanLine, count } from '../../report/text.ts';
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

/** The counts of a plan that a test can state. `countOf` takes them from the summary of the plan, as `plan` prints it. */
const counts: Record<string, { describes: string; noun: string; countOf(summary: Summary): number }> = {
  create: {
    describes: 'How many objects the plan creates.',
    noun: 'to create',
    countOf: ({ create }) => create,
  },
  update: {
    describes: 'How many objects the plan changes, with adopted ones that it changes.',
    noun: 'to update',
    countOf: ({ update, adoptAndUpdate }) => update + adoptAndUpdate,
  },
  delete: {
    describes: 'How many objects the plan deletes, with the contents of deleted containers.',
    noun: 'to delete',
    countOf: (summary) => summary.delete,
  },
  replace: {
    describes: 'How many objects the plan deletes and creates again.',
    noun: 'to replace',
    countOf: ({ replace }) => replace,
  },
  adopt: {
    describes: 'How many objects of the account the plan adopts, changed or not.',
    noun: 'to adopt',
    countOf: ({ adopt }) => adopt,
  },
  move: { describes: 'How many objects change their place.', noun: 'to move', countOf: ({ move }) => move },
  release: {
    describes: 'How many objects stay in the account and are not managed any more.',
    noun: 'to release',
    countOf: ({ release }) => release,
  },
  unmanaged: {
    describes: 'How many objects of the account no stack manages.',
    noun: 'not managed',
    countOf: ({ unmanaged }) => unmanaged,
  },
};

const requestsSchema = z.union([
  ...expectedCountSchema.options,
  z.array(z.string().regex(/^[A-Z]+ \/\S+$/, 'a request looks like `POST /v10/projects`')),
]);

/** The assertions about the numbers of a plan: `create`, `update` and so on, and `requests`. */
export const countAssertions: Record<string, AssertionKind> = {
  ...Object.fromEntries(
    Object.entries(counts).map(([name, { describes, noun, countOf }]) => [
      name,
      assertionKind<ExpectedCount>({
        schema: expectedCountSchema.describe(describes),
        createCheck:
          (expected) =>
          ({ planned }) =>
            planned
              ? compareCount(expected, countOf(summarizePlan(planned.plan)), noun).map((mismatch) => ({
                  ...mismatch,
                  hint: changesHint(planned.plan, name, noun),
                }))
              : withoutPlan(),
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

/** Returns the mismatch of a count, if it is not the expected one or out of its bounds. `noun`: the counted things, as in "5 to create". */
function compareCount(expected: ExpectedCount, actual: number, noun: string): Mismatch[] {
  const { min = 0, max = Number.POSITIVE_INFINITY } =
    typeof expected === 'number' ? { min: expected, max: expected } : expected;
  if (actual >= min && actual <= max) return [];
  const range = [
    ...(min > 0 ? [`at least ${min}`] : []),
    ...(max < Number.POSITIVE_INFINITY ? [`at most ${max}`] : []),
  ];
  return [
    {
      message: `the number of ${noun === 'requests' ? noun : `objects ${noun}`} differs`,
      expected: typeof expected === 'number' ? String(expected) : range.join(' and '),
      actual: String(actual),
    },
  ];
}

/** Returns the operations of the API that an apply of a plan calls: `DELETE /v9/projects/{idOrName}/env/{id}`. */
const endpointsOf = ({ operations }: Plan): string[] =>
  operations.flatMap(({ requests }) => requests.map(({ endpoint }) => endpoint));

/** Returns an operation without the names of its placeholders, because a test may call them anything: `{}` for `{idOrName}` or `{projects/web}`. */
const withoutNames = (endpoint: string): string => endpoint.replace(/\{[^}]*\}/g, '{}');

const maxListedInHint = 12;

/** Lists the changes with an action in a hint, so that the reader sees which ones are too many: `to create: projects/web, projects/wbe`. */
function changesHint({ changes }: Plan, action: string, noun: string): string | undefined {
  const counted = groupLogicalChanges(changes.filter((change) => change.action === action));
  if (counted.length === 0) return undefined;
  const addresses = counted
    .slice(0, maxListedInHint)
    .map(([change]) => addressWithoutTarget(change!.address));
  const more = counted.length - addresses.length;
  return `${noun}: ${addresses.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** Lists the requests of a plan in a hint, so that the reader sees which ones are too many. */
function requestsHint(plan: Plan): string | undefined {
  const lines = endpointsOf(plan);
  if (lines.length === 0) return undefined;
  const more = lines.length - maxListedInHint;
  const listed = lines.slice(0, maxListedInHint).join(', ');
  return `the plan sends ${listed}${more > 0 ? ` and ${count(more, 'more request')}` : ''}`;
}

/** Compares the requests of a plan with a list of all expected ones, without their order. */
function compareRequests(expected: readonly string[], plan: Plan): Mismatch[] {
  const actual = endpointsOf(plan);
  const toText = (endpoints: readonly string[]) => endpoints.map(withoutNames).sort().join('\n');
  if (toText(expected) === toText(actual)) return [];
  return [
    {
      message: 'the requests differ',
      expected: expected.length === 0 ? 'none' : cleanLine(expected.join(', ')),
      actual: actual.length === 0 ? 'none' : actual.join(', '),
    },
  ];
}
