import * as z from 'zod';
import {
  type ApiObject,
  createOnly,
  defineKind,
  type Fields,
  immutable,
  openEnum,
  readMayLack,
  type Step,
  secret,
  setOf,
  writeOnly,
} from '#kind';

const types =
  'api-key discord github linear linq microsoft-entra oauth photon salesforce sendblue slack snowflake snowflake-wif';

/** The settings of all types together; those that are secret by their names here, any others as they are written. */
const data = () =>
  z
    .object({
      clientSecret: secret(z.string()).optional().describe('The secret of an OAuth client or app.'),
      privateKeyPem: secret(z.string()).optional().describe('The private key of a GitHub app, as PEM.'),
      webhookSecret: secret(z.string()).optional().describe('What webhooks are signed with.'),
      signingSecret: secret(z.string()).optional().describe('What Slack signs requests with.'),
      verificationToken: secret(z.string()).optional().describe("Slack's older token of webhooks."),
      consumerSecret: secret(z.string()).optional().describe('The secret of a Salesforce app.'),
      apiSecretKey: secret(z.string()).optional().describe('The secret key of Sendblue.'),
      projectSecret: secret(z.string()).optional().describe('The secret of a Photon project.'),
      apiToken: secret(z.string()).optional().describe('The token of Linq.'),
      projectId: createOnly(z.string()).optional().describe('The project at Photon.'),
      subjectType: createOnly(openEnum(['app', 'user']))
        .optional()
        .describe('Whose keys an `api-key` connector has: its own, or those of each user.'),
      serviceUrls: createOnly(z.array(z.string()))
        .optional()
        .describe('Where the keys of an `api-key` connector are good.'),
      values: createOnly(
        z.array(
          z.strictObject({
            value: secret(z.string()).describe('The key.'),
            scope: z.string().optional().describe('What it is good for.'),
            expiresAt: z.number().optional().describe('When it ends, in milliseconds since 1970.'),
          }),
        ),
      )
        .optional()
        .describe('The first keys of an `api-key` connector; later ones are given in the dashboard.'),
    })
    .catchall(z.any());

/** Nothing of `data` is read back, and not all of it can be written again: only what changed is sent. */
function changed({ fields, body }: Step): ApiObject {
  if (!body.data) return body;
  const isChanged = (name: string) =>
    fields.some(({ path }) => path === `data.${name.replaceAll('.', '\\.')}`);
  return {
    ...body,
    data: Object.fromEntries(Object.entries(body.data).filter(([name]) => isChanged(name))),
  };
}

/** Access to an outside service, with credentials that the platform keeps. */
export const connector = defineKind({
  name: 'connector',
  doc: 'Access to an outside service (Slack, GitHub, any OAuth server or API): deployments get its tokens, and its credentials stay with the platform.',
  section: 'connectors',
  key: ['uid'],
  // What people granted it is lost with it.
  lifecycle: { replace: 'never', container: true },
  usual: { triggers: false },
  fields: () => ({
    uid: z
      .string()
      .regex(/^[^\s%#\p{Cc}]+$/u)
      .describe('By what code asks for it, `slack/my-bot` for example.'),
    name: z
      .string()
      .regex(/^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u)
      .describe('Its name, for people.'),
    type: immutable(openEnum(types.split(' ')))
      .optional()
      .describe('The sort of service, with all of its settings in `data`. Or else: `connectionMethod`.'),
    service: createOnly(z.string().min(1)).optional().describe('The service by its short name or its URL.'),
    connectionMethod: readMayLack(immutable(z.string().min(1)))
      .optional()
      .describe('A way to connect that the platform knows for the `service`; `data` has the credentials.'),
    target: readMayLack(immutable(z.string().min(1)))
      .optional()
      .describe('The part of the service that it is for, where its `connectionMethod` knows several.'),
    params: createOnly(z.record(z.string(), z.string()))
      .optional()
      .describe('What the `connectionMethod` asks for when the connector is made.'),
    data: writeOnly(data())
      .optional()
      .describe(
        'Its settings at the service: `clientId`, `clientSecret`, `serverUrl` and others, as the API of the platform names them. They are never read back.',
      ),
    icon: readMayLack(z.string().regex(/^[0-9a-f]{40}$/))
      .optional()
      .describe('The SHA-1 digest of an image that was uploaded as a file.'),
    backgroundColor: readMayLack(z.string())
      .optional()
      .describe('The colour behind the icon, `#000000` for example.'),
    accentColor: readMayLack(z.string()).optional().describe('The other colour, `#ffffff` for example.'),
    triggers: z.boolean().optional().describe('Whether events of the service come in.'),
    events: readMayLack(setOf(z.string().min(1)))
      .optional()
      .describe('The events that come in, as the service names them.'),
  }),
  example: `secrets: { slack: { env: SLACK_SECRET } }
connectors:
  slack/my-bot:
    name: My bot
    type: slack
    triggers: true
    data: { appId: A0123, appName: My bot, clientId: "1234.5678", clientSecret: "\${secret.slack}" }`,
  rules: {
    check: ({ type, service, connectionMethod }) =>
      type !== undefined || (service !== undefined && connectionMethod !== undefined)
        ? []
        : [
            {
              path: ['type'],
              message: 'a connector needs a `type`, or a `service` and a `connectionMethod`',
            },
          ],
    grade: ({ action, fields }) =>
      action === 'update' && fields.some(({ path }) => path === 'uid')
        ? { grade: 'disruptive', reason: 'code that asks for it by its old `uid` does not find it' }
        : action === 'update' && fields.some(({ path }) => path.startsWith('data.'))
          ? { grade: 'disruptive', reason: 'who authorized or installed it may have to do so again' }
          : undefined,
  },
  read: {
    endpoint: 'GET /v2/connect/connectors',
    items: 'connectors',
    one: { endpoint: 'GET /v1/connect/connectors/{id}' },
  },
  // `triggers` is only there while they are on, and `service` is what the platform makes of it.
  decode: ({ service: _, ...found }) => {
    const triggers = (found.triggers as ApiObject | undefined)?.enabled === true;
    return { ...found, triggers } as unknown as Fields;
  },
  create: { endpoint: 'POST /v1/connect/connectors', body: ({ body }) => ({ data: {}, ...body }) },
  update: { endpoint: 'PATCH /v2/connect/connectors/{id}', body: changed },
  delete: 'DELETE /v1/connect/connectors/{id}',
});
