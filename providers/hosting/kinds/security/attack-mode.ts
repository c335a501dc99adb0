import * as z from 'zod';
import { type ApiObject, defineKind, type Fields, readMayLack, type Value } from '#kind';
import { moment } from '../moment.ts';
import { projectIn } from '../projects/project-answer.ts';

const off: Fields = { attackModeEnabled: false };
const withoutIdleDeadline = (fields: ApiObject): Fields =>
  fields.attackModeEnabled ? (fields as Fields) : off;

/** Attack challenge mode: always there, and switched off by the platform when its time is over. */
export const attackMode = defineKind({
  name: 'attackMode',
  doc: 'Attack challenge mode of a project: challenges every visitor until a given time.',
  section: 'attackMode',
  parent: 'project',
  key: [],
  fields: () => ({
    attackModeEnabled: z.boolean().describe('Whether every visitor is challenged.'),
    attackModeActiveUntil: readMayLack(moment())
      .nullable()
      .optional()
      .describe(
        'When it ends automatically: a time like `2027-01-31T18:00:00Z`, or milliseconds since 1970.',
      ),
  }),
  example: { attackModeEnabled: true, attackModeActiveUntil: '2027-01-31T18:00:00Z' },
  rules: {
    check: ({ attackModeEnabled, attackModeActiveUntil }) =>
      attackModeEnabled || !attackModeActiveUntil
        ? []
        : [
            {
              path: ['attackModeEnabled'],
              message: '`attackModeActiveUntil` has no effect while attack mode is off',
            },
          ],
    align: ({ desired, live, now }) => {
      const isOver = (until: Value | undefined): until is number => typeof until === 'number' && until <= now;
      const { attackModeEnabled, attackModeActiveUntil: until } = desired.fields;
      return {
        // Somebody may have prolonged it. After its declared end the mode should be off.
        desired: isOver(until) || attackModeEnabled === false ? off : desired.fields,
        live: isOver(live?.fields.attackModeActiveUntil) ? off : undefined,
        over: isOver(until) ? `its time ended at ${new Date(until).toISOString()}` : undefined,
      };
    },
    grade: ({ fields }) =>
      fields.some(({ path, after }) => path === 'attackModeEnabled' && after === true)
        ? { grade: 'disruptive', reason: 'every visitor is challenged while it is on' }
        : undefined,
  },
  read: {
    endpoint: 'GET /v9/projects/{project}',
    item: (answer) => ({
      attackModeEnabled: false,
      ...(projectIn(answer).security as ApiObject | undefined),
    }),
  },
  // The deadline of a mode that is off means nothing. It may just have run out, so a difference is no conflict.
  decode: withoutIdleDeadline,
  // The SDK has no deadline beside `attackModeEnabled: false`.
  encode: withoutIdleDeadline,
  update: {
    endpoint: 'POST /v1/security/attack-mode',
    body: ({ fullBody, parent }) => ({ projectId: parent, ...fullBody }),
  },
});
