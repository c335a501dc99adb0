/*
 * A test file (`shop.test.yaml`) lies beside a configuration and says what its plans must look like:
 *
 *   given: { seed: seeds/shop.json, stage: production }
 *   tests:
 *     - name: a new site deletes nothing
 *       patch: { projects: { site: { framework: nextjs } } }
 *       expect: { create: 1, delete: 0 }
 *
 * Terms of this folder:
 *
 *   given    what all tests of a file start from: the configuration, and the account before the plan
 *   seed     the account before the plan, in the format of `trueup twin --seed`
 *   patch    the layer that one test puts on top of the configuration
 */
import * as z from 'zod';
import type { MapNode, Node } from '../config/yaml/nodes.ts';
import type { Source, Spot } from '../config/yaml/source.ts';
import type { Sealed } from '../model/sealed.ts';
import type { Assertion } from './assertions/assertion.ts';
import { expectationSchema } from './assertions/expectation.ts';
import { subjectSchemas } from './assertions/subject-schemas.ts';

/** The key of the start of all tests. */
export const setupKey = 'given';

const requiredText = z.string().min(1);

const setupSchema = z
  .strictObject({
    file: z
      .union([requiredText, z.array(requiredText).min(1)])
      .optional()
      .describe(
        'The file or folder of the configuration, relative to this file; several as a list. Default: the `trueup.yaml` or `trueup/` beside this file or in a folder above.',
      ),
    seed: requiredText
      .optional()
      .describe(
        'The account before the plan: a JSON file in the format of `trueup twin --seed`, relative to this file. Default: an empty account.',
      ),
    applied: z
      .boolean()
      .optional()
      .describe(
        'True if the configuration, without the patch of a test, was applied to the account before, so that its objects are in the ledger. Default: the ledger is empty, and objects of the seed are adopted.',
      ),
    stage: requiredText.optional().describe("One of the configuration's `stages`."),
    variables: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Values of variables. Tests never read the environment, so a variable from there needs its value here.',
      ),
    secrets: z
      .record(z.string(), requiredText)
      .optional()
      .describe(
        'Made-up values of secrets by name, where a test depends on the form of a value. Tests never read real secrets: all others get placeholders.',
      ),
  })
  .describe('What all tests of this file start from.');

const testSchema = z.strictObject({
  name: requiredText.describe('What the test shows, as a sentence. Unique in this file.'),
  patch: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))])
    .optional()
    .describe(
      'A layer on top of the configuration, for this test only: sections as in a configuration, or a list of patches with `$at`. It overrides fields and adds objects; `$drop` removes.',
    ),
  apply: z
    .boolean()
    .optional()
    .describe('True to apply the plan to the twin, for expectations about the account afterwards.'),
  ...subjectSchemas,
  expect: expectationSchema,
});

/** The schema of a test file. */
export const testFileSchema = z.strictObject({
  [setupKey]: setupSchema.optional(),
  tests: z
    .array(testSchema)
    .min(1, 'list at least one test')
    .describe('The tests. Each starts from the same account, and none sees another.'),
});

/** The start of all tests of a file. */
export interface TestSetup {
  /** The files and folders of the configuration, as absolute paths. */
  configuration: string[];
  /** The content of the seed file; undefined for an empty account. */
  seed?: unknown;
  /** True if the configuration was applied to the account before. */
  isApplied: boolean;
  stage?: string | undefined;
  variables?: MapNode | undefined;
  secrets: ReadonlyMap<string, { value: Sealed; spot: Spot }>;
  /** The places of the seed and the stage, for messages. */
  spots: { seed?: Spot | undefined; stage?: Spot | undefined };
}

/** One test, ready to run. */
export interface Test {
  name: string;
  spot: Spot;
  patches: Node[];
  apply: boolean;
  assertions: Assertion[];
  /** The codes of `error` in its expectations. */
  expectedErrors: string[];
}

/** A test file that was read without an error. */
export interface TestFile {
  /** Its name for people: the path relative to the working directory. */
  name: string;
  source: Source;
  setup: TestSetup;
  tests: Test[];
}
