import * as z from 'zod';
import { type ApiObject, defineKind } from '#kind';
import { projectIn } from './project-answer.ts';

/** Whether a project's cron jobs run. Their schedules come from the code of the deployment. */
export const crons = defineKind({
  name: 'crons',
  doc: "Whether the cron jobs of a project run; their schedules are in the project's code.",
  section: 'crons',
  otherWords: ['cronJob'],
  parent: 'project',
  key: [],
  usual: { enabled: true },
  fields: () => ({ enabled: z.boolean().describe('Whether the cron jobs run.') }),
  example: { enabled: false },
  rules: {
    grade: ({ fields }) =>
      fields.some(({ after }) => after === false)
        ? { grade: 'disruptive', reason: 'no cron job of the project runs while they are off' }
        : undefined,
  },
  read: {
    endpoint: 'GET /v9/projects/{project}',
    // Without cron jobs the answer has no member `crons`.
    item: (answer) => ({ enabled: !(projectIn(answer).crons as ApiObject | undefined)?.disabledAt }),
  },
  update: 'PATCH /v1/projects/{project}/crons',
});
