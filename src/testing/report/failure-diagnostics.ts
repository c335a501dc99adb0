import type { Diagnostic } from '../../model/diagnostic.ts';
import { dropUndefined } from '../../model/walk.ts';
import type { Failure, FileResult } from '../test-result.ts';

/** Returns a failure of a test as a diagnostic, so that the reports of `trueup test` for people and CI show it like any other problem. */
export const failureDiagnostic = ({
  assertion,
  expected,
  actual,
  message,
  ...failure
}: Failure): Diagnostic =>
  dropUndefined({
    severity: 'error' as const,
    ...failure,
    message: [
      assertion === undefined ? message : `\`${assertion}\`: ${message}`,
      ...(expected === undefined ? [] : [`expected: ${expected}`]),
      ...(actual === undefined ? [] : [`actual:   ${actual}`]),
    ].join('\n'),
  });

/** Returns the failures of all tests as diagnostics, for annotations in CI; none if every test passed. */
export const failureDiagnostics = (files: readonly FileResult[]): Diagnostic[] =>
  files.flatMap(({ tests }) => tests.flatMap(({ failures }) => failures.map(failureDiagnostic)));
