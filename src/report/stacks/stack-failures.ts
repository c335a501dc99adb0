import type { Address } from '../../model/address.ts';
import type { Outcome } from '../../model/event.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { groupBy } from '../../model/graph.ts';
import type { Plan } from '../../model/plan.ts';
import { hintLines } from '../diagnostics-text.ts';
import { createFailureGrouping, type FailureGroup, groupFailures } from '../failures.ts';
import type { Style } from '../style.ts';
import { cleanLine, count, fold } from '../text.ts';

/*
 * Folds equal failures of several stacks: a token without a permission fails the same request in each of 60 stacks, and its explanation
 * should be read once.
 */

/** The outcome of one stack. */
export interface StackOutcome {
  id: string;
  plan: Plan;
  outcome: Outcome;
}

/** The failures that one command has reported in the stacks that it applied so far. Changed while it runs. */
export interface CommandFailures {
  /** The cause of a failure by its comparable texts; see `createFailureGrouping`. */
  causeByText: Map<string, string>;
  /** The first failure of each cause in the log of the run, and in the outcomes of the stacks: `projects/web in shop`. */
  firstInLog: Map<string, string>;
  firstInOutcomes: Map<string, string>;
  outcomes: StackOutcome[];
}

/** The failures of a command, and the stack whose failures are reported next. */
export interface StackFailures {
  command: CommandFailures;
  /** The id of the stack; empty for the only stack of a command. */
  stack: string;
}

/**
 * Creates the empty record of the failures of a command, to which each of its stacks adds its own, so that equal ones are explained once in
 * the log (`firstInLog`) and once in the outcomes at the end (`firstInOutcomes`).
 */
export const createCommandFailures = (): CommandFailures => ({
  causeByText: new Map(),
  firstInLog: new Map(),
  firstInOutcomes: new Map(),
  outcomes: [],
});

/**
 * Remembers a failure for the later failures of the same cause, unless an earlier one is remembered already. Returns the earlier one,
 * such as `projects/web in shop`, so that a report only refers to it; undefined for the first failure of a cause, which a report
 * explains. `place`: the log of the run and the outcomes at its end explain each cause once.
 */
export function rememberFailure(
  { command, stack }: StackFailures,
  place: 'firstInLog' | 'firstInOutcomes',
  cause: string,
  address: Address,
): string | undefined {
  const earlier = command[place].get(cause);
  if (earlier === undefined) command[place].set(cause, nameInStack(address, stack));
  return earlier;
}

/** Formats an address with its stack: `projects/web in shop`. */
const nameInStack = (address: Address, stack: string): string =>
  cleanLine(stack === '' ? address : `${address} in ${stack}`);

/** The failures of one cause in several stacks. */
interface RepeatedFailure extends Pick<FailureGroup, 'message' | 'hint'> {
  /** The failed addresses with their stacks. */
  names: string[];
}

/**
 * Returns the failures that have the same cause in several stacks, ordered by their first occurrence, for the summary at the end of `apply
 * --all`.
 */
export function findRepeatedFailures(outcomes: readonly StackOutcome[]): RepeatedFailure[] {
  // Shared, so that equal error texts have the same cause in all stacks.
  const causeByText = new Map<string, string>();
  const groups = outcomes.flatMap(({ id, plan, outcome }) => {
    const causeOf = createFailureGrouping(plan, causeByText);
    return groupFailures(plan, outcome).map((group) => {
      const { error, address } = group.failed[0]!;
      return { ...group, id, cause: causeOf(error, address) };
    });
  });
  return [...groupBy(groups, ({ cause }) => cause).values()]
    .filter((ofCause) => new Set(ofCause.map(({ id }) => id)).size > 1)
    .map((ofCause) => ({
      message: ofCause[0]!.message,
      hint: ofCause[0]!.hint,
      names: ofCause.flatMap(({ id, failed }) => failed.map(({ address }) => nameInStack(address, id))),
    }));
}

/** The most failed addresses that are named for one cause. */
const maxNamedFailures = 5;

/** Returns the sentence about the failures of one cause: `16 changes failed for the same reason: projects/web in shop and 15 more`. */
export const repeatedFailureTitle = (
  { names }: RepeatedFailure,
  format = (name: string): string => name,
): string =>
  `${count(names.length, 'change')} failed for the same reason: ${listFirst(names.map(format), maxNamedFailures)}`;

/** Formats the failures that several stacks have in common, each explained once, for the end of `apply --all`. Empty if there are none. */
export const repeatedFailuresText = (outcomes: readonly StackOutcome[], style: Style): string =>
  findRepeatedFailures(outcomes)
    .map((failure) =>
      [
        ...fold(repeatedFailureTitle(failure), style.prose, '  ').map(style.alarm),
        ...failure.message.flatMap((line, index) =>
          fold(index === 0 ? `  Error: ${line}` : `  | ${line}`, style.prose, '  '),
        ),
        ...hintLines(failure.hint, style),
      ].join('\n'),
    )
    .join('\n\n');
