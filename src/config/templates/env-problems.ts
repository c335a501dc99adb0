import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { quoted } from '../suggest.ts';
import type { Node, ScalarNode } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';

/** Says that two names come to one variable of the environment. */
export const sameEnv = (env: string, key: ScalarNode, first: ScalarNode): Diagnostic =>
  problem('env/ambiguous', `${quoted(key.text)} and ${quoted(first.text)} would both be read from ${env}`, {
    at: positionOf(key.at),
    hint: 'give one of them another name: all but letters, digits and `_` becomes `_` there',
    related: [{ message: 'the first one', at: positionOf(first.at) }],
  });

/** Says that an environment variable may not be read, whatever the operator allows. */
export const refusedEnv = (env: Node, why: string): Diagnostic =>
  problem('env/refused', why, {
    at: positionOf(env.at),
    hint: 'variables are read from TRUEUP_VAR_*, secrets from TRUEUP_SECRET_*; give the value under such a name',
  });

/** Says that a variable would show what a secret reads. */
export const shownSecret = (env: string, at: Position): Diagnostic =>
  problem('env/secret', `${quoted(env)} is read by a secret, and the values of variables are shown`, {
    at,
    hint: 'read it in one place only; what is no secret gets a name of its own in the environment',
  });
