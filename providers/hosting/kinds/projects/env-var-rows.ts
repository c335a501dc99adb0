/**
 * Environment variables: units and rows.
 *
 * A unit is one key in one place. The platform stores rows, and a row has one value, one type and one comment for all its
 * places; no two rows of a key and branch may share a place. Units that do not change stay in the row they are in, so this
 * never reshapes what is right already. For a row R and the units of it that change:
 *
 *   all of R changes, to one entry (exact)     PATCH R: value, type, comment
 *   some of R changes (subset, split)          one side stays in R by PATCH, production if it can; the others are created after
 *   an entry gained places (superset)          PATCH a row that holds only that entry, wider; else a new row
 *   several rows of one entry (merge)          nothing: equal values in two rows are right; changed ones are patched each
 *   places of R go away                        PATCH R, narrower; DELETE when none is left
 *   R leaves `sensitive`                       the platform knows no way back: DELETE (or narrower), then a new row
 *   R also has places nobody declared          narrower is fine, but a new value is refused: it would change them too
 */
import {
  type ApiObject,
  type BatchContext,
  type Draft,
  type Fields,
  isRef,
  problem,
  type Request,
  request,
  type Step,
  type Value,
} from '#kind';

const places = ['production', 'preview', 'development'];

/** Where a unit is, as its address says it: `production`, `preview:BRANCH`, `custom:SLUG`. */
export function suffixOf({ target, gitBranch, customEnvironmentId }: Fields): string {
  if (isRef(customEnvironmentId))
    return `custom:${decodeURIComponent(customEnvironmentId.$ref.split('/').at(-1)!)}`;
  return gitBranch ? `${target}:${gitBranch}` : String(target);
}

/** One entry of the YAML, or one row, as units. Without a place it is in all three targets (with a branch: in preview). */
export function toUnits({ target, customEnvironmentIds, ...shared }: Fields): Fields[] {
  const environments = (customEnvironmentIds ?? []) as Value[];
  const everywhere = environments.length > 0 ? [] : shared.gitBranch ? ['preview'] : places;
  return [
    ...((target ?? everywhere) as string[]).map((place) => ({ ...shared, target: place })),
    ...environments.map((environment) => ({ ...shared, customEnvironmentId: environment })),
  ];
}

/** Units of one key and branch with one value, as the row that holds them. */
export function toRow(units: Fields[]): Fields {
  const { target: _, customEnvironmentId: __, ...shared } = units[0]!;
  const targets = places.filter((place) => units.some(({ target }) => target === place));
  const environments = units.flatMap(({ customEnvironmentId }) => customEnvironmentId ?? []);
  return {
    ...shared,
    ...(targets.length > 0 || environments.length === 0 ? { target: targets } : {}),
    ...(environments.length > 0 ? { customEnvironmentIds: environments } : {}),
  };
}

interface Unit {
  address: string;
  /** As it will be; absent when it goes away. */
  wanted?: Fields;
  /** The YAML entry, with the type: units with the same can share a row. */
  entry?: string;
  step?: Step;
}

/** All steps of one project as drafts: rows made narrower or patched and deleted first, then wider and new ones. */
export function writes(steps: Step[], context: BatchContext): Draft[] {
  const stepOf = new Map(steps.map((step) => [step.address, step]));
  const desiredOf = new Map(context.desired.map((resource) => [resource.address, resource]));
  const rows = new Map<string, Unit[]>();
  for (const live of context.live) {
    const step = stepOf.get(live.address);
    const desired = step ? step.after : desiredOf.get(live.address);
    const wanted = step?.action === 'delete' ? undefined : { ...live.fields, ...desired?.fields };
    const entry = desired && `${desired.group} ${wanted?.type}`;
    const unit: Unit = {
      address: live.address,
      ...(wanted ? { wanted } : {}),
      ...(entry === undefined ? {} : { entry }),
      ...(step ? { step } : {}),
    };
    const id = live.ids[0]!;
    rows.set(id, [...(rows.get(id) ?? []), unit]);
  }
  const narrowed: Draft[] = [];
  const deleted: { ids: string[]; changes: string[]; drops: { address: string; id: string }[] } = {
    ids: [],
    changes: [],
    drops: [],
  };
  // Units that need a place in another row, or in a new one.
  const homeless: (Unit & { was?: 'in a row' })[] = steps
    .filter(({ action }) => action === 'create')
    .map((step) => ({
      address: step.address,
      step,
      wanted: step.after!.fields,
      entry: `${desiredOf.get(step.address)?.group} ${step.after!.fields.type}`,
    }));
  const homes = new Map<string, { id: string; units: Unit[] }>();

  for (const [id, units] of rows) {
    const leaving = units.filter(({ step }) => step?.action === 'delete');
    const staying = units.filter(({ step }) => step?.action !== 'delete');
    const changing = staying.filter(({ step }) => step);
    const undeclared = staying.filter(({ address }) => !desiredOf.has(address));
    if (changing.length > 0 && undeclared.length > 0) {
      narrowed.push(sharedWithStrangers(id, changing, undeclared));
      continue;
    }
    const groups = new Map<string, Unit[]>();
    for (const unit of staying) {
      const group = unit.step
        ? unit.step.action === 'replace'
          ? 'replace'
          : `to ${unit.entry}`
        : 'as it is';
      groups.set(group, [...(groups.get(group) ?? []), unit]);
    }
    const candidates = [...groups].filter(([group]) => group !== 'replace');
    // Production keeps its row, so that it is never absent; else what does not change does.
    const keeper =
      candidates.find(([, of]) => of.some(({ wanted }) => wanted?.target === 'production')) ??
      candidates.find(([group]) => group === 'as it is') ??
      candidates[0];
    const kept = keeper?.[1] ?? [];
    const moved = staying.filter((unit) => !kept.includes(unit));
    homeless.push(...moved.map((unit) => ({ ...unit, was: 'in a row' as const })));
    const gone = [...leaving, ...moved];
    const drops = gone.map(({ address }) => ({ address, id }));
    if (kept.length === 0) {
      deleted.ids.push(id);
      deleted.changes.push(...gone.map(({ address }) => address));
      deleted.drops.push(...drops);
      continue;
    }
    const body = { ...changesOf(kept), ...(gone.length > 0 ? placesOf(kept) : {}) };
    if (Object.keys(body).length > 0)
      narrowed.push({
        changes: [...kept.filter(({ step }) => step), ...gone].map(({ address }) => address),
        requests: [{ ...patch(id, body), ...(drops.length > 0 ? { drops } : {}) }],
        ...(moved.length > 0
          ? { disrupts: 'a variable leaves the row it shared, and is absent for a moment' }
          : {}),
      });
    const entry = kept[0]!.entry;
    const certain = kept.every((unit) => unit.step || !context.unverified.has(unit.address));
    if (
      entry !== undefined &&
      certain &&
      kept.every((unit) => unit.entry === entry) &&
      !homes.has(homeOf(kept[0]!))
    )
      homes.set(homeOf(kept[0]!), { id, units: kept });
  }
  const first = [...narrowed, ...(deleted.ids.length > 0 ? [deletion(deleted)] : [])];
  return [...first, ...placed(homeless, homes, first)];
}

const homeOf = ({ wanted, entry }: Unit) => JSON.stringify([wanted!.key, wanted!.gitBranch ?? null, entry]);

/** Homeless units into rows: into the one their entry has already, else into a new one, all new ones in one request. */
function placed(
  homeless: (Unit & { was?: string })[],
  homes: Map<string, { id: string; units: Unit[] }>,
  first: Draft[],
): Draft[] {
  const byHome = new Map<string, Unit[]>();
  for (const unit of homeless) byHome.set(homeOf(unit), [...(byHome.get(homeOf(unit)) ?? []), unit]);
  const wider: Draft[] = [];
  const created: { row: Fields; units: Unit[] }[] = [];
  for (const [home, units] of byHome) {
    const row = homes.get(home);
    if (!row) {
      created.push({ row: toRow(units.map(({ wanted }) => wanted!)), units });
      continue;
    }
    wider.push({
      changes: units.map(({ address }) => address),
      requests: [
        {
          ...patch(row.id, placesOf([...row.units, ...units])),
          returns: units.map(({ address }) => ({ address, id: row.id })),
        },
      ],
      after: first,
    });
  }
  if (created.length === 0) return wider;
  return [
    ...wider,
    {
      changes: created.flatMap(({ units }) => units.map(({ address }) => address)),
      requests: [
        {
          ...request(
            'POST /v10/projects/{project}/env',
            created.map(({ row }) => row),
          ),
          batch: created.map(({ units }) => units.map(({ address }) => address)),
        },
      ],
      after: first,
    },
  ];
}

const patch = (id: string, body: ApiObject): Request =>
  request('PATCH /v9/projects/{project}/env/{id}', body, { id });

const placesOf = (units: Unit[]): ApiObject => {
  const { target = [], customEnvironmentIds = [] } = toRow(units.map(({ wanted }) => wanted!));
  return { target, customEnvironmentIds };
};

/** What changes in a row whose units all change to the same entry. */
const changesOf = (units: Unit[]): ApiObject => {
  const names = new Set(units.flatMap(({ step }) => step?.fields.map(({ path }) => path) ?? []));
  const { value, type, comment } = units[0]!.wanted!;
  return Object.fromEntries(
    Object.entries({ value, type, comment: comment ?? '' }).filter(([name]) => names.has(name)),
  );
};

const deletion = ({
  ids,
  changes,
  drops,
}: {
  ids: string[];
  changes: string[];
  drops: { address: string; id: string }[];
}): Draft => ({
  changes: [...new Set(changes)],
  requests: [{ ...request('DELETE /v1/projects/{project}/env', { ids }), drops }],
});

function sharedWithStrangers(id: string, changing: Unit[], undeclared: Unit[]): Draft {
  const others = undeclared.map(({ wanted }) => suffixOf(wanted!)).join(', ');
  const { key } = changing[0]!.wanted!;
  return {
    changes: changing.map(({ address }) => address),
    requests: [],
    problem: problem(
      'env/undeclared-targets',
      `the live variable ${key} (${id}) also covers ${others}, which is not declared`,
      {
        address: changing[0]!.address,
        ...(changing[0]!.step?.after ? { at: changing[0]!.step.after.at } : {}),
        hint: `declare ${key} for ${others} too, or narrow the live variable first: a change would reach them as well`,
      },
    ),
  };
}

/** What became of each row of a POST, whose 2xx answer may name failures. */
export function createdOrFailed(answer: unknown, { body }: Request): ({ id: string } | { error: string })[] {
  const { created = [], failed = [] } = (answer ?? {}) as {
    created?: ApiObject | ApiObject[];
    failed?: { error: ApiObject }[];
  };
  const place = (row: ApiObject) =>
    JSON.stringify([
      row.key,
      row.gitBranch || null,
      [row.target ?? []].flat().sort(),
      [...((row.customEnvironmentIds as string[]) ?? [])].sort(),
    ]);
  const ids = new Map([created].flat().map((row) => [place(row), String(row.id)]));
  return (body as ApiObject[]).map((row) => {
    const id = ids.get(place(row));
    if (id !== undefined) return { id };
    const { error } = failed.find(({ error }) => (error.envVarKey ?? error.key) === row.key) ?? {};
    return {
      error: error
        ? `${error.code}: ${error.message}`
        : 'the answer names it neither as created nor as failed',
    };
  });
}
