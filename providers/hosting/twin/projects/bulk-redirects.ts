import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { badRequest, forbidden, notFound } from '../errors.ts';
import { projectById, projectOfQuery, projectQuery } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';
import {
  bulkRedirect,
  editRedirectBody,
  redirectSourcesBody,
  redirectVersionBody,
  stageRedirectsBody,
} from './bulk-redirects-body.ts';
import {
  type BulkRedirect,
  readRedirects,
  readRedirectsQuery,
  readRedirectVersion,
  storedRedirect,
} from './bulk-redirects-read.ts';
import { changeVersion, latestItems, liveVersion, makeLive, stage, type Version } from './staged-versions.ts';

declare module '../account.ts' {
  interface ProjectParts {
    bulkRedirects: Version<BulkRedirect>[];
  }
  interface ProjectSeed {
    /** The live redirects. */
    bulkRedirects?: z.input<typeof seed>;
    /** All redirects of a staged version. */
    stagedBulkRedirects?: z.input<typeof seed>;
  }
}

/** Stages these redirects as the new content, and returns the answer to it. */
function staged(call: Call, project: Project, items: BulkRedirect[], name: string | undefined) {
  const version = readRedirectVersion(project, stage(call, project.bulkRedirects, items, name));
  return { alias: version.alias ?? null, version };
}

/** Returns redirects in which those of `written` replace those with the same source. New ones come last. */
function mergeRedirects(base: readonly BulkRedirect[], written: readonly BulkRedirect[]): BulkRedirect[] {
  const bySource = new Map(base.map((bulkRedirect) => [bulkRedirect.source, bulkRedirect]));
  for (const redirect of written) bySource.set(redirect.source, redirect);
  return [...bySource.values()];
}

/** Stages redirects: in addition to the latest ones, or with `overwrite` instead of them. */
function put(call: Call, body: z.infer<typeof stageRedirectsBody>): unknown {
  if (body.teamId === undefined && call.owner.team !== undefined) {
    throw badRequest('Invalid request: missing required property `teamId`.');
  }
  if (body.teamId !== undefined && body.teamId !== call.owner.id) {
    throw forbidden(`Not authorized: Trying to access resource under scope "${body.teamId}".`);
  }
  const project = projectById(call, body.projectId);
  const base = body.overwrite === true ? [] : latestItems(project.bulkRedirects);
  const items = mergeRedirects(base, (body.redirects ?? []).map(storedRedirect));
  return staged(call, project, items, body.name);
}

/**
 * Returns the latest redirects with those of these sources as in the live version: again as they were live, or removed if they were not
 * live. `known`: the sources that have a live or latest redirect.
 */
function restored(versions: readonly Version<BulkRedirect>[], sources: readonly string[]) {
  const live = liveVersion(versions)?.items ?? [];
  const latest = latestItems(versions);
  const existing = sources.filter((source) =>
    [...live, ...latest].some((bulkRedirect) => bulkRedirect.source === source),
  );
  const back = live.filter((bulkRedirect) => existing.includes(bulkRedirect.source));
  const bulkRedirects = latest.filter(
    (bulkRedirect) =>
      !existing.includes(bulkRedirect.source) || back.some((b) => b.source === bulkRedirect.source),
  );
  return { items: mergeRedirects(bulkRedirects, structuredClone(back)), known: existing };
}

/** Stages a change of one redirect; with `restore`, sets it back to the live one. Throws 404 if there is no such redirect. */
function edit(call: Call, project: Project, body: z.infer<typeof editRedirectBody>): unknown {
  const { redirect, restore, name } = body;
  if (restore === true) {
    const { items, known: existing } = restored(project.bulkRedirects, [redirect.source]);
    if (existing.length === 0) throw notFound(`The redirect of ${redirect.source}`);
    return staged(call, project, items, name);
  }
  const items = latestItems(project.bulkRedirects);
  const item = items.find((bulkRedirect) => bulkRedirect.source === redirect.source);
  if (item === undefined) throw notFound(`The redirect of ${redirect.source}`);
  Object.assign(item, redirect);
  return staged(call, project, items, name);
}

const seed = z.array(bulkRedirect);

const seeded = (making: Making, list: z.infer<typeof seed>, { bulkRedirects }: Project) =>
  stage(making, bulkRedirects, mergeRedirects([], list.map(storedRedirect)));

const ofQuery = { on: projectOfQuery, query: projectQuery };

/** A project's redirects. Each write stages a complete new version; POST .../versions makes it live. */
export const bulkRedirects: Resource = {
  keeps: { project: { bulkRedirects: [] } },
  operations: {
    getRedirects: operation(
      {
        on: projectOfQuery,
        query: { ...projectQuery, ...readRedirectsQuery },
        list: 'redirects',
      },
      readRedirects,
    ),
    stageRedirects: operation({ body: stageRedirectsBody, statuses: [200, 404] }, (call, _, body) =>
      put(call, body),
    ),
    editRedirect: operation({ ...ofQuery, body: editRedirectBody }, edit),
    deleteRedirects: operation(
      { ...ofQuery, body: redirectSourcesBody },
      (call, project, { redirects, name }) => {
        const items = latestItems(project.bulkRedirects);
        const bulkRedirects = items.filter((item) => !redirects.includes(item.source));
        if (bulkRedirects.length === items.length) throw notFound(`A redirect of ${redirects.join(', ')}`);
        return staged(call, project, bulkRedirects, name);
      },
    ),
    restoreRedirects: operation(
      { ...ofQuery, body: redirectSourcesBody },
      (call, project, { redirects, name }) => {
        const { items, known: existing } = restored(project.bulkRedirects, redirects);
        const { version } = staged(call, project, items, name);
        const failedToRestore = redirects.filter((source) => !existing.includes(source));
        return { restored: existing, failedToRestore, version };
      },
    ),
    getVersions: operation({ ...ofQuery, list: 'versions' }, (_, project) => ({
      versions: project.bulkRedirects.map((bulkRedirect) => readRedirectVersion(project, bulkRedirect)),
    })),
    updateVersion: operation(
      { ...ofQuery, body: redirectVersionBody },
      (call, project, { name, ...body }) => {
        const version = changeVersion(call, project.bulkRedirects, body);
        if (name !== undefined) version.name = name;
        return { version: readRedirectVersion(project, version) };
      },
    ),
  },
  seed: {
    project: {
      bulkRedirects: seedOne(seed, (making, list, project: Project) =>
        makeLive(making, project.bulkRedirects, seeded(making, list, project)),
      ),
      stagedBulkRedirects: seedOne(seed, seeded),
    },
  },
};
