import type { RecordedExchange } from '#kind';
import { toRow, toRows } from '../facts/observed.ts';

/** A team as a seed of the twin has it. */
export interface SeededTeam {
  id?: string;
  slug?: string;
}

/** Returns the teams that the requests name. An id and a slug are one team if an answer says so, or if there is only one of each. */
export function findRecordedTeams(exchanges: readonly RecordedExchange[]): SeededTeam[] {
  const ids = new Set<string>();
  const slugs = new Set<string>();
  const slugById = new Map<string, string>();
  for (const { query, params, body, operation } of exchanges) {
    for (const name of [query.teamId, query.slug, params.teamId])
      if (name) (name.startsWith('team_') ? ids : slugs).add(name);
    if (!/^GET \/v\d+\/teams(\/\{teamId\})?$/.test(operation)) continue;
    const rows = operation.endsWith('/teams') ? toRows(toRow(body).teams) : [toRow(body)];
    for (const { id, slug } of rows)
      if (typeof id === 'string' && typeof slug === 'string') slugById.set(id, slug);
  }
  for (const id of slugById.keys()) ids.add(id);
  const paired = new Set(slugById.values());
  const unpairedSlugs = [...slugs].filter((slug) => !paired.has(slug));
  const unpairedIds = [...ids].filter((id) => !slugById.has(id));
  if (unpairedSlugs.length === 1 && unpairedIds.length === 1)
    slugById.set(unpairedIds[0]!, unpairedSlugs.pop()!);
  return [
    ...[...ids].map((id): SeededTeam => {
      const slug = slugById.get(id);
      return slug === undefined ? { id } : { id, slug };
    }),
    ...unpairedSlugs.map((slug): SeededTeam => ({ slug })),
  ];
}
