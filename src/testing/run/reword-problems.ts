import { positionOf, type Spot } from '../../config/yaml/source.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { TestSetup } from '../test-file.ts';

/** Returns the place of a diagnostic as a member, or no member without a spot, so that the diagnostic keeps its own place. */
const positionMember = (spot: Spot | undefined): Pick<Diagnostic, 'at'> =>
  spot ? { at: positionOf(spot) } : {};

/**
 * How problems of other commands read in a test, by code. The original hints name flags and the environment, which a test does not have.
 * Returns the members of the diagnostic that change.
 */
const rewordings: Record<string, (problem: Diagnostic, setup: TestSetup) => Partial<Diagnostic>> = {
  'var/missing': ({ message }) => {
    const [, name = 'NAME'] = /`([^`]+)`/.exec(message) ?? [];
    return { hint: `give it a value in the test file: \`given: { variables: { ${name}: ... } }\`` };
  },
  'source/env': ({ message }) => ({
    message: message.replace(/ is not available: .*/s, ' has no value, because tests read no environment'),
    hint: 'give it a value in the test file, under `given: { variables: ... }`',
  }),
  'source/file': ({ hint = '' }) => ({
    hint: [
      ...(/^add it to git: `[^`]*`/.exec(hint) ?? []),
      'give the variable a value under `given` of the test file',
    ].join(', or '),
  }),
  'stage/choose': () => ({ hint: 'choose one in the test file, such as `given: { stage: production }`' }),
  'stage/unknown': ({ message }, { spots }) => ({
    message: message.replace(/^--stage names (`[^`]*`)/, 'the test file names the stage $1'),
    hint: message.startsWith('--stage') ? 'remove the stage from `given`' : undefined,
    ...positionMember(spots.stage),
  }),
  'auth/team': (_, { spots }) => ({
    message: 'the seed is the account of another team than the one that the configuration names',
    hint: 'write the same slug in `platform: { team: ... }` and in the seed: `"team": { "slug": ... }`',
    ...positionMember(spots.seed),
  }),
  'twin/input': ({ message }, { spots }) => ({
    message: message.replace(/^The seed/, 'the seed'),
    hint: '`trueup twin --seed` takes the same format, and so does a file that `trueup twin --state` saved',
    ...positionMember(spots.seed),
  }),
};

/**
 * Returns the problem of a configuration or a seed in the words of a test file, with the place in that file that can be changed: a missing
 * variable is to be set under `given`, for example. Problems without a rewording stay.
 */
export function rewordProblem(problem: Diagnostic, setup: TestSetup): Diagnostic {
  const reword = rewordings[problem.code];
  if (!reword) return problem;
  // A rewording without a hint keeps the original one.
  const { hint = problem.hint, ...otherMembers } = reword(problem, setup);
  return { ...problem, ...otherMembers, ...(hint === undefined ? {} : { hint }) };
}
