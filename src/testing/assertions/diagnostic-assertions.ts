/*
 * Assertions about problems and findings, by code or glob of codes:
 *
 *   error     a problem that is expected. An error, or a finding (valid configuration that does harm) of any severity.
 *   warning   a warning or a note that is expected
 *   without   no problem, warning or finding has this code
 *
 * A test fails if there is an error that no `error` expects: `unexpectedErrors`.
 */
import * as z from 'zod';
import { hintFor, quoted } from '../../config/suggest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { compileGlob, globFault } from '../../model/glob.ts';
import { type AssertionKind, assertionKind, type ExpectedPlace, type Mismatch } from './assertion.ts';

const codeSchema = z
  .string()
  .min(1)
  .refine((code) => globFault(code) === undefined, 'a code looks like `env/public-secret`, or `env/*`');
const codesSchema = z.union([codeSchema, z.array(codeSchema).min(1, 'name at least one code')]);
type Codes = z.infer<typeof codesSchema>;

/** True if a diagnostic is something that `error` may expect. */
const isProblem = ({ severity, finding }: Diagnostic): boolean =>
  severity === 'error' || finding !== undefined;

/** The assertions about problems and findings of a configuration or plan. */
export const diagnosticAssertions: Record<string, AssertionKind> = {
  error: assertionKind<Codes>({
    schema: codesSchema.describe(
      'The problem that the configuration or the plan must have, by its code or a glob: `env/public-secret`. Any other error fails the test.',
    ),
    createCheck: (codes, place) => expectCodes(codes, place, isProblem, 'problem'),
  }),
  warning: assertionKind<Codes>({
    schema: codesSchema.describe('A warning or note that there must be, by its code or a glob.'),
    createCheck: (codes, place) =>
      expectCodes(codes, place, ({ severity }) => severity !== 'error', 'warning'),
  }),
  without: assertionKind<Codes>({
    schema: codesSchema.describe('The code, or a glob of codes, that no error, warning or finding may have.'),
    createCheck: (codes, place) => {
      const list = [codes].flat();
      return ({ diagnostics }) =>
        list.flatMap((code, index) => {
          const matches = createMatcher([code]);
          return diagnostics.filter(matches).map((diagnostic) => ({
            message: `there is ${quoted(diagnostic.code)}: ${diagnostic.message}`,
            spot: spotOfCode(codes, index, place),
          }));
        });
    },
  }),
};

/**
 * Returns the check of `error` or `warning` of a test: each of these codes (or globs) must be the code of a diagnostic that `isCounted`
 * accepts. `noun`: the word for a missing diagnostic.
 */
function expectCodes(
  codes: Codes,
  place: ExpectedPlace,
  isCounted: (diagnostic: Diagnostic) => boolean,
  noun: string,
): (outcome: { diagnostics: readonly Diagnostic[] }) => Mismatch[] {
  return ({ diagnostics }) =>
    [codes].flat().flatMap((code, index) => {
      const matches = createMatcher([code]);
      const counted = diagnostics.filter(isCounted);
      if (counted.some(matches)) return [];
      const uncounted = diagnostics.find(matches);
      const present = [...new Set(counted.map((diagnostic) => diagnostic.code))];
      const hintAboutPresent = present.length > 0 ? hintFor(code, present, 'there are') : undefined;
      return [
        {
          message: `there is no ${noun} ${quoted(code)}`,
          hint: uncounted ? hintAboutSeverity(uncounted, code) : hintAboutPresent,
          spot: spotOfCode(codes, index, place),
        },
      ];
    });
}

const spotOfCode = (codes: Codes, index: number, place: ExpectedPlace) =>
  Array.isArray(codes) ? place.spotAt(index) : place.spotAt();

/** Returns the test whether a diagnostic has one of these codes or globs of codes. */
function createMatcher(codes: readonly string[]): (diagnostic: Pick<Diagnostic, 'code'>) => boolean {
  const globs = codes.map((code) => compileGlob(code));
  return ({ code }) => globs.some((glob) => glob.matches(code));
}

/** Returns the hint of a test that expects a diagnostic with another severity than it has: the key to write instead. */
const hintAboutSeverity = ({ severity }: Diagnostic, code: string): string =>
  severity === 'error'
    ? `it is an error here: write \`error: ${code}\``
    : `it is a ${severity} here: write \`warning: ${code}\``;

/** Returns the errors of a configuration or plan that `error` of a test does not expect; each fails the test. `expected`: its codes. */
export function unexpectedErrors(
  diagnostics: readonly Diagnostic[],
  expected: readonly string[],
): Diagnostic[] {
  const isExpected = createMatcher(expected);
  return diagnostics.filter((diagnostic) => diagnostic.severity === 'error' && !isExpected(diagnostic));
}
