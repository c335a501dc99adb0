import * as z from 'zod';
import { defineKind, type Fields, mayIdentify, objectsOfList, setOf } from '#kind';
import { projectIn } from './project-answer.ts';

const connection = () =>
  z.strictObject({
    envId: mayIdentify('customEnvironment', z.string().min(1)).describe(
      '`production`, `preview`, or the id of a custom environment.',
    ),
    connectConfigurationId: mayIdentify('network', z.string().min(1)).describe('The id of the network.'),
    passive: z.boolean().describe('Whether the network only stands by for a failover.'),
    buildsEnabled: z.boolean().describe('Whether builds run in the network, too.'),
  });

/** The networks that the deployments of a project run in. One request replaces the whole list. */
export const connectConfigurations = defineKind({
  name: 'connectConfigurations',
  doc: 'The private networks (Secure Compute) that the environments of a project run in.',
  section: 'connectConfigurations',
  otherWords: ['secureCompute'],
  parent: 'project',
  key: [],
  fields: () => ({
    networks: setOf(connection())
      .min(1)
      .describe('The complete list: an environment and `${networks.NAME.id}` for each network.'),
  }),
  example: `$allow: [cost]
networks: { backend: { region: iad1, cidr: 10.0.0.0/16 } }
projects:
  web:
    connectConfigurations:
      networks:
        - envId: production
          connectConfigurationId: \${networks.backend.id}
          passive: false
          buildsEnabled: true`,
  rules: {
    grade: () => ({
      grade: 'disruptive',
      reason: 'connections come from different addresses, which their targets may block',
    }),
    // Only a test of the platform's Terraform provider shows this refusal.
    check: ({ networks }) =>
      ((networks ?? []) as Fields[]).flatMap(({ passive, buildsEnabled }, index) =>
        passive === true && buildsEnabled === true
          ? [
              {
                path: ['networks', index, 'buildsEnabled'],
                severity: 'warning' as const,
                message: 'the platform probably refuses builds in a network that is `passive`',
              },
            ]
          : [],
      ),
  },
  read: {
    endpoint: 'GET /v9/projects/{project}',
    item: (answer) => {
      const networks = objectsOfList(projectIn(answer).connectConfigurations, 'connectConfigurations');
      return networks.length > 0 ? { networks } : undefined;
    },
  },
  decode: ({ networks }) => ({
    networks: (networks as Fields[]).map(({ envId, connectConfigurationId, passive, buildsEnabled }) => ({
      envId: envId!,
      connectConfigurationId: connectConfigurationId!,
      passive: passive === true,
      buildsEnabled: buildsEnabled === true,
    })),
  }),
  encode: ({ networks }) => ({ connectConfigurations: networks }),
  create: 'PATCH /v9/projects/{project}',
  update: 'PATCH /v9/projects/{project}',
  delete: { endpoint: 'PATCH /v9/projects/{project}', body: () => ({ connectConfigurations: null }) },
});
