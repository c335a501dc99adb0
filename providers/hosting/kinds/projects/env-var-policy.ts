import { type AccountFacts, type Alignment, type Fields, isHole, problem, revealed } from '#kind';
import type { Unit } from './env-var-row.ts';

/** The team's policy: only sensitive variables, but for development, where the platform takes none. */
const isBound = ({ target }: Fields, facts: AccountFacts): boolean =>
  facts.sensitiveEnvironmentVariablePolicy === 'on' && target !== 'development';

/**
 * The type of a unit for which none is declared. A found one keeps its own, unless it is written to and the policy is younger
 * than it; a new one is encrypted, or what the policy asks for.
 */
export function align({ desired: { fields, address, at }, live, facts }: Alignment) {
  const bound = isBound(fields, facts);
  if (!bound || !fields.type)
    return { desired: fields.type ? fields : { ...fields, ...impliedType(fields, live?.fields, bound) } };
  if (fields.type === 'sensitive') return { desired: fields };
  const message = `the team allows only sensitive variables here, and this one is declared ${fields.type}`;
  const hint =
    'leave `type` out, or make it `sensitive`; development may stay `encrypted` in an entry of its own';
  return { desired: fields, problems: [problem('env/policy', message, { address, at, hint })] };
}

function impliedType(wanted: Fields, found: Fields | undefined, bound: boolean): Fields {
  if (!found) return { type: bound ? 'sensitive' : 'encrypted' };
  const differs = (name: string) =>
    wanted[name] !== undefined &&
    !isHole(wanted[name]) &&
    String(revealed(wanted[name])) !== String(revealed(found[name] ?? ''));
  return bound && found.type !== 'sensitive' && (differs('value') || differs('comment'))
    ? { type: 'sensitive' }
    : {};
}

/** A unit that leaves its row for a new one, as the policy of today wants it. */
export const forNewRow = (unit: Unit, facts: AccountFacts): Unit =>
  isBound(unit.fields, facts) ? { ...unit, fields: { ...unit.fields, type: 'sensitive' } } : unit;
