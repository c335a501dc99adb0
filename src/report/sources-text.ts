import type { Change } from '../model/change.ts';
import type { Plan, PlanSource } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { cutCounted } from './cut.ts';
import { secretNames } from './show.ts';

export const sourcesTitle = 'Sources: new or changed since the last apply';
export const sourcesMean = 'What the configuration reads from outside, and did not read from there before.';

/** The sources that are new or have changed. */
export const newSources = ({ sources = [] }: Plan): PlanSource[] =>
  sources.filter(({ since }) => since !== undefined);

/** A source by what reads it, and what there is to say of it. */
interface SourceText {
  name: string;
  text: string;
}

const many = 5;
const widest = 200;

/**
 * The sources as lines. Secrets that are read where a secret is read by default stand in one line where they are many: nothing
 * about them is particular but their names.
 */
export function sourceTexts(sources: PlanSource[]): SourceText[] {
  const usual = sources.filter(
    (one) => one.since !== 'changed' && one.source.startsWith('env TRUEUP_SECRET_'),
  );
  const isFolded = usual.length > many;
  const shown = isFolded ? sources.filter((one) => !usual.includes(one)) : sources;
  const names = usual.map(({ name }) => cleanLine(name.replace(/^secret /, '')));
  const news = usual.some(({ since }) => since) ? ' (new)' : '';
  const folded = {
    name: `${usual.length} secrets`,
    text: `env TRUEUP_SECRET_NAME${news}: ${cutCounted(names.join(', '), widest)}`,
  };
  return [
    ...(isFolded ? [folded] : []),
    ...shown.map(({ name, source, since, before }) => ({
      name: cleanLine(name),
      text: `${cleanLine(source)}${since === 'changed' ? ` (was ${cleanLine(before!)})` : since === 'new' ? ' (new)' : ''}`,
    })),
  ];
}

/** The sources of the secrets that these changes are about, without those that are new: they have a section. */
export function sourcesOfChanges(changes: Change[], { sources = [] }: Plan): PlanSource[] {
  if (sources.length === 0) return [];
  const used = new Set(changes.flatMap(({ fields }) => fields.flatMap(({ after }) => secretNames(after))));
  const isUsed = (name: string) => used.has(`\${secret.${cleanLine(name.replace(/^secret /, ''))}}`);
  return sources.filter(
    ({ name, since }) => since === undefined && name.startsWith('secret ') && isUsed(name),
  );
}
