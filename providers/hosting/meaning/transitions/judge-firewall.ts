import type { Address, Verdict, VisitorRequest } from '#kind';
import type { Condition } from '../firewall/condition.ts';
import { allHold, isPossible } from '../firewall/requests.ts';
import type { Rule } from '../firewall/rule.ts';
import type { ExampleContext } from './build-request.ts';
import { toExampleRequest } from './example-request.ts';
import { type FoundRequest, findRequest, mayMatchTogether } from './find-request.ts';
import type { FirewallItem, FirewallList } from './firewall-list.ts';
import {
  type Candidate,
  decidersOf,
  type Effect,
  findCandidates,
  haveSameEffects,
  type ListStates,
} from './first-match.ts';
import type { StateJudgement } from './part.ts';
import { itemsIn, type Situation, situationsOf } from './situations.ts';

/** The list of a firewall in three states of an apply. */
interface FirewallStates {
  before: FirewallList;
  during: FirewallList;
  after: FirewallList;
}

/** How many decisions about rules, and how many steps of the automata, the comparison of one state may cost. */
const [mostDecisions, mostSteps] = [5000, 300_000];
/** The most candidates for which a request is looked for. */
const mostCandidates = 100;

/** Returns a text that is equal for lists that treat all requests alike because they have the same rules. */
export const firewallIdOf = ({ items, isSwitchKnown }: FirewallList): string =>
  JSON.stringify([isSwitchKnown, items.map(({ matchId, effectId }) => [matchId, effectId])]);

/**
 * Judges the list of a firewall in a state on the way of an apply. Every request is considered: the rules are compared as automata.
 * `hosts`: those of the project, for examples. The list is judged once for each situation of a visitor, since the verdict must not be a
 * third one in any of them.
 */
export function judgeFirewall(
  { before, during, after }: FirewallStates,
  hosts: readonly string[],
): StateJudgement {
  const lists = [before, during, after];
  const context = { hosts, budget: { steps: mostSteps } };
  if (!isOrderOfEntriesClear(lists, context.budget))
    return {
      type: 'undecided',
      why: 'IP entries for one address do different things, and no source says which one comes first',
      rules: addressesOf(lists.flatMap(({ entries }) => entries)),
    };
  let undecided: StateJudgement | undefined;
  for (const situation of situationsOf(lists)) {
    const judgement = judgeSituation({ before, during, after }, situation, context);
    if (judgement.type === 'third')
      return lists.every(({ isSwitchKnown }) => isSwitchKnown)
        ? judgement
        : { type: 'undecided', why: 'it is not known whether the firewall is on', rules: judgement.rules };
    if (judgement.type === 'undecided') undecided ??= judgement;
  }
  return undecided ?? { type: 'safe' };
}

/** Judges the list of a firewall for visitors in one situation. */
function judgeSituation(
  { before, during, after }: FirewallStates,
  situation: Situation,
  context: ExampleContext,
): StateJudgement {
  const [itemsBefore, itemsDuring, itemsAfter] = [before, during, after].map(({ items }) =>
    itemsIn(situation, items),
  ) as [FirewallItem[], FirewallItem[], FirewallItem[]];
  const limits = [...itemsBefore, ...itemsDuring, ...itemsAfter].filter(({ isOptional }) => isOptional);
  const doubts = new Set<Address>();
  let third: StateJudgement | undefined;
  let candidatesLeft = mostCandidates;
  let isByRateLimit = false;
  const isComplete = findCandidates(
    { before: itemsBefore, during: itemsDuring, after: itemsAfter },
    {
      budget: { steps: mostDecisions },
      mayMatch: (items) => mayMatchTogether(rulesOf(items), context),
      onCandidate: (candidate) => {
        const { verdict, request, isUnclear } = decideCandidate(candidate, limits, context);
        const isCertain = verdict === 'yes' && !situation.stopsBelowLimits;
        if (isCertain && request) third = thirdOf(candidate, request, situation);
        else if (verdict !== 'no') {
          isByRateLimit ||= isUnclear || situation.stopsBelowLimits;
          for (const address of decidersOf(candidate)) doubts.add(address);
        }
        return third !== undefined || candidatesLeft-- <= 0;
      },
    },
  );
  if (third) return third;
  if (doubts.size > 0)
    return {
      type: 'undecided',
      why: isByRateLimit
        ? 'no source says which requests the rules behind a rate limit see'
        : 'some requests depend on conditions that cannot be compared here',
      rules: [...doubts],
    };
  return isComplete && candidatesLeft > 0
    ? { type: 'safe' }
    : { type: 'undecided', why: 'comparing its rules takes too many steps', rules: [] };
}

/**
 * Returns whether a request exists that meets a third verdict, as a candidate says. `isUnclear`: a request with these matches exists, but
 * no source says what the list does to it, because a rate limit that is not exceeded or an unclear action may end the list.
 */
function decideCandidate(
  { matching, failing, unclear, effects }: Candidate<FirewallItem>,
  limits: readonly FirewallItem[],
  context: ExampleContext,
): FoundRequest & { isUnclear: boolean } {
  const matchingIds = new Set(matching.map(({ matchId }) => matchId));
  const avoided = [...unclear, ...limits].filter(({ matchId }) => !matchingIds.has(matchId));
  const isNoticed = [effects.before, effects.after].every(
    (other) => haveSameEffects(effects.during, other) === 'no',
  );
  const search = findRequest(rulesOf(matching), rulesOf([...failing, ...avoided]), context);
  if (search.verdict === 'yes')
    return isNoticed ? { ...search, isUnclear: false } : { verdict: 'unknown', isUnclear: true };
  if (avoided.length === 0) return { ...search, isUnclear: false };
  const { verdict } = findRequest(rulesOf(matching), rulesOf(failing), context);
  return { verdict: verdict === 'yes' ? 'unknown' : verdict, isUnclear: verdict === 'yes' };
}

/** Returns the report of a third verdict, with the request as an example. */
function thirdOf(
  candidate: Candidate<FirewallItem>,
  request: VisitorRequest,
  { hasSolvedChallenges }: Situation,
): StateJudgement {
  const example = toExampleRequest(request);
  return {
    type: 'third',
    request: hasSolvedChallenges
      ? { ...example, attributes: { ...example.attributes, challenge: 'solved' } }
      : example,
    ...formatStates(candidate.effects),
    rules: decidersOf(candidate),
  };
}

const formatStates = ({ before, during, after }: ListStates<Effect>) => ({
  before: formatEffects(before),
  during: formatEffects(during),
  after: formatEffects(after),
});

/** Returns what a firewall does to a request: `challenge by projects/web/firewall/rules/a, then deny by projects/web/firewall/rules/b`. */
const formatEffects = (effects: readonly Effect[]): string =>
  effects
    .map(({ address, effectId }) => {
      const action = effectId
        .replace(/^entry /, '')
        .split(' ')[0]!
        .replaceAll('_', ' ');
      return address === undefined ? action : `${action} by ${address}`;
    })
    .join(', then ');

const rulesOf = (items: readonly FirewallItem[]): Rule[] => items.map(({ rule }) => rule);

const addressesOf = (items: readonly FirewallItem[]): Address[] => [
  ...new Set(items.map(({ address }) => address)),
];

/**
 * Returns whether two lists treat some request differently that meets all these conditions. Used to tell whether the change of a firewall
 * and that of another part concern a request together.
 */
export function findDifference(
  first: FirewallList,
  second: FirewallList,
  conditions: readonly Condition[],
): Verdict {
  const context = { hosts: [], budget: { steps: mostSteps } };
  const scope: Rule = { ...emptyRule, groups: [conditions] };
  let verdict: Verdict = 'no';
  for (const situation of situationsOf([first, second])) {
    const [before, during] = [itemsIn(situation, first.items), itemsIn(situation, second.items)];
    let candidatesLeft = mostCandidates;
    const isComplete = findCandidates(
      { before, during, after: before },
      {
        budget: { steps: mostDecisions },
        mayMatch: (items) => mayMatchTogether([scope, ...rulesOf(items)], context),
        onCandidate: ({ matching, failing }) => {
          verdict = findRequest([scope, ...rulesOf(matching)], rulesOf(failing), context).verdict;
          return verdict !== 'no' || candidatesLeft-- <= 0;
        },
      },
    );
    if (verdict !== 'no') return verdict;
    if (!isComplete || candidatesLeft <= 0) return 'unknown';
  }
  return 'no';
}

const emptyRule: Omit<Rule, 'groups'> = {
  address: '',
  name: '',
  isEntry: false,
  action: undefined,
  location: undefined,
  effectId: undefined,
  isLate: false,
};

/**
 * True if the order of the IP entries does not matter: all states have the same entries, or no address has entries that do different
 * things.
 */
function isOrderOfEntriesClear(lists: readonly FirewallList[], budget: { steps: number }): boolean {
  if (lists.every(({ entriesId }) => entriesId === lists[0]!.entriesId)) return true;
  return lists.every(({ entries }) =>
    entries.every((entry, i) =>
      entries
        .slice(i + 1)
        .every((other) => other.effectId === entry.effectId || haveNoCommonAddress(entry, other, budget)),
    ),
  );
}

/** True if surely no address of a visitor has both IP entries. */
const haveNoCommonAddress = (
  { rule }: FirewallItem,
  other: FirewallItem,
  budget: { steps: number },
): boolean =>
  (rule.groups ?? []).every((group) =>
    (other.rule.groups ?? []).every(
      (otherGroup) => isPossible(allHold([...group, ...otherGroup]), budget) === 'no',
    ),
  );
