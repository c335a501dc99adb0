import * as z from 'zod';
import { jsonText } from '../../report/show.ts';
import { countResults, type FileResult, isPassed } from '../test-result.ts';

/** The version of the format of `trueup test --json`. The first number is raised if members change their meaning or disappear. */
const testResultsVersion = '1.0';

const positionSchema = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
});

const testFailureSchema = z.object({
  code: z.string().describe('`test/failed`, or the code of an error that the test does not expect.'),
  assertion: z.string().optional().describe('The member of `expect` that does not hold.'),
  message: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  hint: z.string().optional(),
  address: z.string().optional().describe('The object that an error is about.'),
  at: positionSchema.optional(),
});

const testsDocument = z.object({
  formatVersion: z.literal(testResultsVersion),
  passed: z.int().describe('The number of tests that passed.'),
  failed: z.int(),
  files: z.array(
    z.object({
      file: z.string().describe('The path of the test file, relative to the working directory.'),
      tests: z.array(
        z.object({
          name: z.string(),
          state: z.enum(['passed', 'failed']),
          at: positionSchema,
          milliseconds: z.int(),
          failures: z.array(testFailureSchema),
        }),
      ),
    }),
  ),
});

/** Returns the JSON Schema of `trueup test --json`, for programs. */
export const testResultsSchema = (): object => ({
  title: 'trueup test --json',
  ...z.toJSONSchema(testsDocument),
});

/** Formats the results of `trueup test --json`. They have no secrets: tests never read real ones. */
export function testsJson(files: readonly FileResult[]): string {
  const { passed, failed } = countResults(files);
  const document: z.infer<typeof testsDocument> = {
    formatVersion: testResultsVersion,
    passed,
    failed,
    files: files.map(({ file, tests: results }) => ({
      file,
      tests: results.map(({ name, at, milliseconds, failures }) => ({
        name,
        state: isPassed({ failures }) ? 'passed' : 'failed',
        at: toPlace(at),
        milliseconds: Math.round(milliseconds),
        failures: failures.map(({ related: _, at: failureAt, ...failure }) => ({
          ...failure,
          at: failureAt && toPlace(failureAt),
        })),
      })),
    })),
  };
  return jsonText(document);
}

const toPlace = ({ file, line, column }: z.infer<typeof positionSchema>) => ({ file, line, column });
