/*
 * Assertions about what happens to the request of a visitor, and about the records of a DNS name. They are about the declared configuration
 * with the patch of the test, evaluated as `trueup trace` does it. A result that is not certain fails the test, unless it says `certain:
 * false`.
 */
import * as z from 'zod';
import { quoted } from '../../config/suggest.ts';
import type { View } from '../../kind/meaning.ts';
import { viewOfConfigurations } from '../../meaning/view.ts';
import { type Address, isWithinAny } from '../../model/address.ts';
import { type NameAnswer, type RequestAnswer, requestVerdicts } from '../../model/trace.ts';
import {
  type AssertedTest,
  type AssertionKind,
  assertionKind,
  type Mismatch,
  type TestOutcome,
  withoutPlan,
} from './assertion.ts';
import type { TestedName, TestedRequest } from './subject-schemas.ts';

/** Compares one member of the answer to a request with the expected value. Returns the mismatch, if there is one. */
type AnswerComparison<T> = (expected: T, answer: RequestAnswer, request: TestedRequest) => Mismatch[];

/** Returns why a test without a `request` cannot have an assertion about the answer to one; see `AssertionKind.needs`. */
const needsRequest = ({ request }: AssertedTest): string | undefined =>
  request === undefined ? '`request` beside `expect`: the request of a visitor, with its `url`' : undefined;

const expectedText = z.string().min(1);

/**
 * Creates a kind of assertion about the answer to the `request` of a test, such as `status`. All of them compute the answer in the same
 * way, from the plan of the test (in the `outcome`); `compare` then compares it with the expected value. Without a plan there is no answer.
 * An answer that is not certain is a mismatch, too.
 */
const requestAssertion = <T>(schema: z.ZodType<T>, compare: AnswerComparison<T>): AssertionKind =>
  assertionKind<T>({
    schema,
    needs: needsRequest,
    createCheck: (expected, _place, { request, ...test }) => {
      // By `needs`, a test without a request cannot have this assertion.
      const tested = request as TestedRequest;
      return async (outcome) => {
        const answer = await answerOf(tested, outcome);
        if (!answer) return withoutPlan();
        const mismatches = compare(expected, answer, tested);
        return mismatches.length > 0 ? mismatches : findDoubts(answer, test);
      };
    },
  });

/** The assertions about requests of visitors and DNS names. */
export const visitorAssertions: Record<string, AssertionKind> = {
  verdict: requestAssertion(
    z
      .enum(requestVerdicts, { error: `a verdict is one of ${requestVerdicts.join(', ')}` })
      .describe(
        'What happens to the request: a project serves it, the firewall denies, challenges or limits it, it is redirected, a route answers, or no project serves the host.',
      ),
    (expected, { verdict = 'unknown', rule }) =>
      verdict === expected
        ? []
        : [
            {
              message: 'the request has another verdict',
              expected,
              actual: rule ? `${verdict} by ${rule.address}` : verdict,
            },
          ],
  ),
  rule: requestAssertion(
    expectedText.describe(
      'The name or the address of the firewall rule, redirect or route that decides; for `verdict: serve`, of the rule that lets the request through.',
    ),
    (expected, { rule }) =>
      rule && (rule.name === expected || rule.address === expected)
        ? []
        : [
            {
              message: 'another rule decides',
              expected,
              actual: rule ? `${rule.name} (${rule.address})` : 'no rule decides',
            },
          ],
  ),
  redirect: requestAssertion(
    expectedText.describe('The URL that the request is redirected to; a path is on the host of the request.'),
    (expected, { redirect }, { url }) =>
      redirect !== undefined &&
      URL.canParse(expected, url) &&
      new URL(expected, url).href === new URL(redirect, url).href
        ? []
        : [
            {
              message: 'the request is redirected elsewhere',
              expected,
              actual: redirect ?? 'it is not redirected',
            },
          ],
  ),
  status: requestAssertion(
    z.int().min(100).max(999).describe('The status of the redirect.'),
    (expected, { status }) =>
      status === expected
        ? []
        : [
            {
              message: 'the status differs',
              expected: String(expected),
              actual: status === undefined ? 'not known' : String(status),
            },
          ],
  ),
  servedBy: requestAssertion(
    expectedText.describe('The address of the project that has the host of the request: projects/web.'),
    (expected, { project }) =>
      project === expected
        ? []
        : [{ message: 'another project has the host', expected, actual: project ?? 'no project has it' }],
  ),
  answer: assertionKind<string[]>({
    schema: z
      .array(expectedText)
      .describe(
        'All records of the name and type, as a zone file writes them: `10 mail.example.com`. The order does not matter.',
      ),
    needs: ({ dns }) => (dns === undefined ? '`dns` beside `expect`: a name and a type' : undefined),
    createCheck:
      (expected, _, { dns, ...test }) =>
      async (outcome) => {
        const view = declaredView(outcome);
        if (!view) return withoutPlan();
        const { name, type } = dns as TestedName;
        const answer = (await (await outcome.loadMeaning()).loadNameAnswer())(view, name, type);
        const mismatches = compareAnswers(expected, answer, `${name} ${type}`);
        return mismatches.length > 0 ? mismatches : findDoubts(answer, test);
      },
  }),
};

/**
 * Returns how the platform would answer the request that a test describes, according to the configuration of the test. For `expect` of
 * `trueup test`, such as `status` or `servedBy`. Undefined if there is no plan, because the configuration has errors.
 */
async function answerOf(
  { url, method = 'GET', ip, country, headers = {} }: TestedRequest,
  outcome: TestOutcome,
): Promise<RequestAnswer | undefined> {
  const view = declaredView(outcome);
  if (!view) return undefined;
  const answerRequest = await (await outcome.loadMeaning()).loadRequestAnswer();
  const lowerCaseHeaders = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return answerRequest(view, { method, url: new URL(url), ip, country, headers: lowerCaseHeaders });
}

/**
 * Returns the configuration of a test, with the changes that the test makes to it, as a view: the form in which the behaviour of the
 * platform is computed from objects. Undefined if there is no plan. In an object that the configuration declares itself (not by
 * `$existing`), a section that it does not mention counts as empty, such as the firewall of a project without a `firewall` block.
 */
function declaredView({ planned }: TestOutcome): View | undefined {
  if (!planned) return undefined;
  const { resources } = planned.desired;
  const view = viewOfConfigurations([planned.desired]);
  const owned = new Set(
    [...resources.values()].flatMap(({ address, meta }) => (meta.existing ? [] : [address])),
  );
  const isOwned = (parent: Address | undefined) => parent !== undefined && isWithinAny(parent, owned);
  return {
    ...view,
    knows: (kind, parent) => (isOwned(parent) ? 'declared' : view.knows(kind, parent)),
  };
}

/**
 * Compares the records of a DNS name with those that a test expects (`answer`), without their order. `question`: the name and the type, for
 * messages.
 */
function compareAnswers(expected: readonly string[], { answer }: NameAnswer, question: string): Mismatch[] {
  const toText = (records: readonly string[]) => JSON.stringify(records.map(normalRecord).sort());
  if (toText(expected) === toText(answer)) return [];
  const list = (records: readonly string[]) =>
    records.length === 0 ? 'no records' : records.map(quoted).join(', ');
  return [{ message: `${question} has other records`, expected: list(expected), actual: list(answer) }];
}

/**
 * Returns a record in one of its equal spellings: its host in lower case and without a dot at the end. Only numbers before a host, as in
 * `10 mail.example.com`, are part of such a record. All other texts, such as those of TXT records, stay as they are.
 */
const normalRecord = (record: string): string =>
  /^(\d+ )*[\w.:-]+$/.test(record) ? record.toLowerCase().replace(/(?<=.)\.$/, '') : record;

/**
 * Returns a mismatch if the answer to the request or name of a test is not certain, because the configuration does not decide it, unless
 * the test has `certain: false`.
 */
const findDoubts = (
  { doubts }: { doubts: readonly string[] },
  { certain = true }: AssertedTest,
): Mismatch[] =>
  !certain || doubts.length === 0
    ? []
    : [
        {
          message: `the result is not certain: ${doubts.join('; ')}`,
          hint: 'say more about the request, or accept it with `certain: false` beside `expect`',
        },
      ];
