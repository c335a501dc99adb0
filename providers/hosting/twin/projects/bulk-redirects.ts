import type { Project } from '../account.ts';
import type { Bodies, Call, Handlers, Queries } from '../call.ts';
import { badRequest, forbidden, notFound } from '../errors.ts';
import { parseBody } from '../validate.ts';
import {
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
import { projectById, projectOfQuery, projectQuery } from './project-by-id.ts';
import { changeVersion, latestItems, liveVersion, stage, type Version } from './staged-versions.ts';

function staged(call: Call, project: Project, items: BulkRedirect[], name: string | undefined) {
  const version = readRedirectVersion(project, stage(call, project.bulkRedirects, items, name));
  return { alias: version.alias ?? null, version };
}

/** Puts redirects over those with the same source; new ones come last. */
export function mergeRedirects(
  base: readonly BulkRedirect[],
  written: readonly BulkRedirect[],
): BulkRedirect[] {
  const bySource = new Map(base.map((one) => [one.source, one]));
  for (const one of written) bySource.set(one.source, one);
  return [...bySource.values()];
}

function put(call: Call): unknown {
  const body = parseBody(stageRedirectsBody, call.body, call.outside);
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

/** Sets sources back to what the live version has: there again, as they were, or gone. */
function restored(versions: readonly Version<BulkRedirect>[], sources: readonly string[]) {
  const live = liveVersion(versions)?.items ?? [];
  const latest = latestItems(versions);
  const known = sources.filter((source) => [...live, ...latest].some((one) => one.source === source));
  const back = live.filter((one) => known.includes(one.source));
  const kept = latest.filter(
    (one) => !known.includes(one.source) || back.some((b) => b.source === one.source),
  );
  return { items: mergeRedirects(kept, structuredClone(back)), known };
}

function edit(call: Call): unknown {
  const project = projectOfQuery(call);
  const { redirect, restore, name } = parseBody(editRedirectBody, call.body, call.outside);
  if (restore === true) {
    const { items, known } = restored(project.bulkRedirects, [redirect.source]);
    if (known.length === 0) throw notFound(`The redirect of ${redirect.source}`);
    return staged(call, project, items, name);
  }
  const items = latestItems(project.bulkRedirects);
  const found = items.find((one) => one.source === redirect.source);
  if (found === undefined) throw notFound(`The redirect of ${redirect.source}`);
  Object.assign(found, redirect);
  return staged(call, project, items, name);
}

function remove(call: Call): unknown {
  const project = projectOfQuery(call);
  const { redirects, name } = parseBody(redirectSourcesBody, call.body, call.outside);
  const items = latestItems(project.bulkRedirects);
  const kept = items.filter((one) => !redirects.includes(one.source));
  if (kept.length === items.length) throw notFound(`A redirect of ${redirects.join(', ')}`);
  return staged(call, project, kept, name);
}

function restore(call: Call): unknown {
  const project = projectOfQuery(call);
  const { redirects, name } = parseBody(redirectSourcesBody, call.body, call.outside);
  const { items, known } = restored(project.bulkRedirects, redirects);
  const { version } = staged(call, project, items, name);
  const failedToRestore = redirects.filter((source) => !known.includes(source));
  return { restored: known, failedToRestore, version };
}

function change(call: Call): unknown {
  const project = projectOfQuery(call);
  const { name, ...body } = parseBody(redirectVersionBody, call.body, call.outside);
  const version = changeVersion(call, project.bulkRedirects, body);
  if (name !== undefined) version.name = name;
  return { version: readRedirectVersion(project, version) };
}

/** A project's redirects: every write stages a whole new set, POST .../versions makes it live. */
export const bulkRedirectHandlers: Handlers = {
  getRedirects: (call) => readRedirects(call, projectOfQuery(call)),
  stageRedirects: put,
  editRedirect: edit,
  deleteRedirects: remove,
  restoreRedirects: restore,
  getVersions(call) {
    const project = projectOfQuery(call);
    return { versions: project.bulkRedirects.map((one) => readRedirectVersion(project, one)) };
  },
  updateVersion: change,
};

export const bulkRedirectBodies: Bodies = {
  stageRedirects: stageRedirectsBody,
  editRedirect: editRedirectBody,
  deleteRedirects: redirectSourcesBody,
  restoreRedirects: redirectSourcesBody,
  updateVersion: redirectVersionBody,
};

/** The query parameters that they read. */
export const bulkRedirectQueries: Queries = {
  getRedirects: { ...projectQuery, ...readRedirectsQuery },
  editRedirect: projectQuery,
  deleteRedirects: projectQuery,
  restoreRedirects: projectQuery,
  getVersions: projectQuery,
  updateVersion: projectQuery,
};
