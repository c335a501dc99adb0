import { type ApiObject, defineKind, type Fields, openEnum } from '#kind';
import { retentionMembers, retentionWord, retentionWords } from '../retention.ts';
import { projectIn } from './project-answer.ts';

const unlimited = 'unlimited';

/** The words that the platform takes for a project. */
const words = retentionWords.filter((word) => !['2w', '2y', '3y'].includes(word));

const duration = (deployments: string) =>
  openEnum(words)
    .optional()
    .describe(`How long ${deployments} are kept, from \`1d\` to \`1y\`, or \`unlimited\`.`);

/** Returns the durations in an answer. Days for which no duration is known stay a number, so that nothing is concluded from them. */
const durationsIn = (days: ApiObject): Fields =>
  Object.fromEntries(
    Object.entries(retentionMembers)
      .filter(([, name]) => typeof days[name] === 'number')
      .map(([field, name]) => [field, retentionWord(days[name]) ?? `${days[name]} days`]),
  );

const isLimited = (fields: Fields): boolean => Object.values(fields).some((value) => value !== unlimited);

/** How long the deployments of a project are kept. Without it, forever. */
export const deploymentRetention = defineKind({
  name: 'deploymentRetention',
  doc: 'How long deployments of a project are kept. Removing the block keeps them without limit again.',
  section: 'deploymentRetention',
  otherWords: ['retention', 'retentionPolicy'],
  parent: 'project',
  key: [],
  fields: () => ({
    expiration: duration('preview deployments'),
    expirationProduction: duration('production deployments'),
    expirationCanceled: duration('canceled deployments'),
    expirationErrored: duration('failed deployments'),
  }),
  example: { expiration: '3m', expirationErrored: '1w' },
  rules: {
    check: (fields) =>
      isLimited(fields)
        ? []
        : [
            {
              path: [],
              message: 'at least one duration must have a limit',
              hint: 'remove the block for none',
            },
          ],
    grade: ({ action }) =>
      action === 'delete'
        ? { grade: 'safe', reason: 'deployments are kept without limit' }
        : { grade: 'destructive', reason: 'older deployments are deleted' },
  },
  read: {
    endpoint: 'GET /v9/projects/{project}',
    item: (answer) => {
      const days = (projectIn(answer).deploymentExpiration ?? {}) as ApiObject;
      const fields = durationsIn(days);
      const isUnknown = Object.keys(days).some((name) => name !== 'deploymentsToKeep');
      if (isUnknown && Object.keys(fields).length === 0)
        throw new Error('the answer does not say how long deployments are kept');
      return isLimited(fields) ? fields : undefined;
    },
  },
  create: 'PATCH /v9/projects/{project}/deployment-expiration',
  update: 'PATCH /v9/projects/{project}/deployment-expiration',
  delete: {
    endpoint: 'PATCH /v9/projects/{project}/deployment-expiration',
    body: () => Object.fromEntries(Object.keys(retentionMembers).map((field) => [field, unlimited])),
  },
});
