import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { projectQuery } from '../find-project.ts';
import { operation, type SeedField, seedOne } from '../resource.ts';

/** When speed insights or web analytics were switched, in epoch milliseconds. */
export interface Insights {
  id: string;
  enabledAt?: number;
  disabledAt?: number;
  /** Set if the plan for it has ended. Only a seed can set it. */
  canceledAt?: number;
}

declare module '../account.ts' {
  /** Null until they are first written. */
  interface ProjectParts {
    speedInsights: Insights | null;
    webAnalytics: Insights | null;
  }
  interface ProjectSeed {
    speedInsights?: z.input<typeof seed>;
    webAnalytics?: z.input<typeof seed>;
  }
}

type Member = 'speedInsights' | 'webAnalytics';

/** Stores when a measurement was switched on (or off), and keeps when it was last switched off (or on). Returns both. */
function toggle(making: Making, project: Project, member: Member, value: boolean): Insights {
  const insights = project[member] ?? { id: making.id('') };
  insights[value ? 'enabledAt' : 'disabledAt'] = making.time();
  project[member] = insights;
  return insights;
}

/** Returns the project that the query names, of any owner, because the SDK sends no team here. Throws 400 or 404. */
function projectOf({ account, query }: Call): Project {
  const id = query.get('projectId');
  if (!id) throw badRequest('Invalid request: missing required property `projectId`.');
  const project = account.projects.find((project) => project.id === id);
  if (project === undefined) throw notFound('Project');
  return project;
}

/** Returns the operation that switches a measurement on or off. */
export const toggled = (member: Member) =>
  operation(
    { on: projectOf, query: projectQuery, body: z.strictObject({ value: z.boolean() }) },
    (call, project, { value }) => {
      toggle(call, project, member, value);
      return { value };
    },
  );

const seed = z.strictObject({ enabled: z.boolean(), canceled: z.boolean().optional() });
/** Returns the field of the seed for a measurement. */
export const seeded = (member: Member): SeedField =>
  seedOne(seed, (making, { enabled, canceled }, project: Project) => {
    const insights = toggle(making, project, member, enabled);
    if (canceled) insights.canceledAt = making.time();
  });
