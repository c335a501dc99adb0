/*
 * Decides whether a request exists that some firewall rules match and others do not, and makes one up.
 *
 * Terms
 *   group      conditions that must all hold. A rule matches a request if one of its groups holds.
 *   assertion  a condition, and whether it has to hold or to fail
 *   choice     the assertions so far
 *
 * Steps
 *   1. For each rule that has to match, choose one group: all its conditions have to hold.
 *   2. For each group of a rule that must not match, choose one condition that has to fail. Skip groups that cannot hold any more.
 *   3. Make up a request for all assertions. If none is found, `isPossible` decides whether they contradict each other.
 *   4. If a choice fails, try the next one, up to `mostChoices`.
 *
 * Example: `path pre /admin` has to match, and `path eq /admin & method eq GET` must not. Step 1 asserts that the path begins with /admin.
 * Step 2 tries "the path is not /admin" first, for which `GET /admina` is an example.
 */
import type { Verdict, VisitorRequest } from '#kind';
import type { Condition } from '../firewall/condition.ts';
import { type Assertion, allHold, isPossible, isPossibleTogether } from '../firewall/requests.ts';
import type { Group, Rule } from '../firewall/rule.ts';
import { buildRequest, type ExampleContext } from './build-request.ts';

/** Whether a request exists, and an example if one does. */
export interface FoundRequest {
  verdict: Verdict;
  request?: VisitorRequest;
}

/** The assertions of a search so far: one path through the groups and their conditions. */
interface Choice {
  assertions: readonly Assertion[];
  /** False if it depends on a condition that cannot be read. */
  isReadable: boolean;
}

const notFound: FoundRequest = { verdict: 'no' };
/** The most choices that are tried. */
const mostChoices = 300;

/**
 * Returns whether a request exists that all rules of `matching` match and none of `failing`. `yes` comes with an example that was evaluated
 * with the words of `trueup trace`. `unknown` if no source says how a condition works, or if it takes too many steps.
 */
export function findRequest(
  matching: readonly Rule[],
  failing: readonly Rule[],
  context: ExampleContext,
): FoundRequest {
  const search = new RequestSearch(failing, context);
  return search.match(matching, { assertions: [], isReadable: true });
}

/** True unless surely no request matches all rules. */
export const mayMatchTogether = (rules: readonly Rule[], context: ExampleContext): boolean =>
  new RequestSearch([], context).canMatch(rules, []);

class RequestSearch {
  readonly #failing: readonly Rule[];
  readonly #context: ExampleContext;
  #choicesLeft = mostChoices;

  constructor(failing: readonly Rule[], context: ExampleContext) {
    this.#failing = failing;
    this.#context = context;
  }

  canMatch([rule, ...others]: readonly Rule[], assertions: readonly Assertion[]): boolean {
    if (!rule || this.#choicesLeft-- <= 0) return true;
    return (rule.groups ?? []).some((group) => {
      const combined = [...assertions, ...allHold(group)];
      return isPossible(combined, this.#context.budget) !== 'no' && this.canMatch(others, combined);
    });
  }

  /** Tries the groups of the rules that have to match. */
  match([rule, ...others]: readonly Rule[], choice: Choice): FoundRequest {
    if (!rule) return this.#fail(choice);
    return this.#firstFound(rule.groups ?? [], (group) => {
      const assertions = [...choice.assertions, ...allHold(group)];
      if (isPossible(assertions, this.#context.budget) === 'no') return notFound;
      return this.match(others, { assertions, isReadable: choice.isReadable && !group.includes(undefined) });
    });
  }

  /** Tries the ways to fail the groups of the other rules, given those that match. */
  #fail(choice: Choice): FoundRequest {
    const held = choice.assertions.map(({ condition }) => condition);
    const openGroups: Assertion[][] = [];
    let { isReadable } = choice;
    for (const group of this.#failing.flatMap(({ groups = [] }) => groups)) {
      const ways = this.#waysToFail(group, held);
      if (ways === 'fails') continue;
      if (ways.length === 0) {
        if (!group.includes(undefined)) return notFound;
        // It can only fail by the condition that cannot be read.
        isReadable = false;
      } else openGroups.push(ways);
    }
    const forced = openGroups.flatMap((ways) => (ways.length === 1 ? ways : []));
    const open = openGroups.filter((ways) => ways.length > 1);
    return this.#choose(open, { assertions: [...choice.assertions, ...forced], isReadable });
  }

  /** Returns the assertions that each make a group fail. Returns `fails` if the group fails already because of the conditions that hold. */
  #waysToFail(group: Group, held: readonly Condition[]): Assertion[] | 'fails' {
    const ways: Assertion[] = [];
    for (const condition of group) {
      if (!condition) continue;
      const related = held.filter(({ attribute }) => attribute.id === condition.attribute.id);
      const canBe = (holds: boolean) =>
        isPossibleTogether(related, { condition, holds }, this.#context.budget) !== 'no';
      if (related.length > 0 && !canBe(true)) return 'fails';
      if (
        related.length > 0
          ? canBe(false)
          : isPossible([{ condition, holds: false }], this.#context.budget) !== 'no'
      )
        ways.push({ condition, holds: false });
    }
    return ways;
  }

  #choose([ways, ...others]: readonly Assertion[][], choice: Choice): FoundRequest {
    if (!ways) return this.#decide(choice);
    return this.#firstFound(ways, (assertion) =>
      this.#choose(others, { ...choice, assertions: [...choice.assertions, assertion] }),
    );
  }

  /** Looks for an example first: it is faster than to compare many conditions with each other, and proves more. */
  #decide({ assertions, isReadable }: Choice): FoundRequest {
    const request = isReadable ? buildRequest(assertions, this.#context) : undefined;
    if (request) return { verdict: 'yes', request };
    return isPossible(assertions, this.#context.budget) === 'no' ? notFound : { verdict: 'unknown' };
  }

  /** Returns the first certain result; `unknown` if a result is unknown or not all choices were tried. */
  #firstFound<T>(choices: readonly T[], find: (choice: T) => FoundRequest): FoundRequest {
    let result = notFound;
    for (const choice of choices) {
      if (this.#choicesLeft-- <= 0) return { verdict: 'unknown' };
      const outcome = find(choice);
      if (outcome.verdict === 'yes') return outcome;
      if (outcome.verdict === 'unknown') result = outcome;
    }
    return result;
  }
}
