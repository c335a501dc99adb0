import type { ApplicableStack, StackEnd, StackSteps } from '../app/applying/apply-stacks.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import { problemsOf } from '../model/describe-errors.ts';
import { diagnosticLine } from '../report/terraform/stream-line.ts';
import { sayDiagnostics, type Terminal } from '../terminal/terminal.ts';
import { errorCode, exitCodes, worstCode } from './exit-codes.ts';

/** The step that differs between `apply` and `undo`, and the sentence about a stack that is left out. */
interface OwnSteps<S> {
  /** Applies one stack. `stop`: reports that a signal came before, and returns the end of the stack. */
  apply(stack: S, stop: () => StackEnd): Promise<StackEnd>;
  /** Returns why a stack is left out. `ids`: the stacks that were to be complete before, with commas between them. */
  skippedText(ids: string): string;
}

/**
 * Returns what `applyStacks` does with each stack of `apply` or `undo`: apply it, stop before it after a signal, skip it because a stack
 * that it needs is not complete, or report its error. Each step reports on the terminal of the stack, and in the result that `apply
 * --report` formats. If the command has only one stack (`several` is absent), its error is thrown, like that of any command.
 */
export function createStackSteps<S extends ApplicableStack<Terminal>>(
  several: Several | undefined,
  { apply, skippedText }: OwnSteps<S>,
): StackSteps<S> {
  const skipWith = ({ stack: { port } }: S, text: string, code: number): StackEnd => {
    if (port.run.applyResult) port.run.applyResult.skipped = text;
    port.say(text);
    return { code, isComplete: false };
  };
  const stop = (stack: S) =>
    skipWith(stack, 'Not started: the run was stopped by a signal.', exitCodes.interrupted);
  return {
    apply: (stack) => apply(stack, () => stop(stack)),
    stop,
    skip(stack, unfinished) {
      const code = worstCode([...unfinished.values()].map((end) => end.code));
      return skipWith(stack, skippedText([...unfinished.keys()].join(', ')), code);
    },
    fail({ stack: { port } }, error) {
      if (!several) throw error;
      const problems = problemsOf(error);
      if (port.run.applyResult) port.run.applyResult.failed = problems;
      if (port.stream) port.stream(problems.map(diagnosticLine));
      else sayDiagnostics(problems, port);
      return { code: errorCode(error), isComplete: false };
    },
  };
}
