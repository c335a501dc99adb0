import * as z from 'zod';
import { type Fields, mayIdentify, setOf } from '#kind';

const builtIn = ['production', 'preview', 'development'];

/** Describes the environments of a project: the platform's own by their names, custom ones by their ids. */
export const environments = () =>
  setOf(mayIdentify('customEnvironment', z.string().min(1)))
    .min(1)
    .describe(
      'The environments: `production`, `preview`, `development`, or the id of a custom environment: `${projects.web.customEnvironments.staging.id}`.',
    );

/** Warns of custom environments given by name instead of id: the platform accepts any text, but such a name has no effect. */
export const namedEnvironments = ({ environments }: Fields) =>
  (environments as unknown[]).flatMap((environment, index) =>
    typeof environment !== 'string' || builtIn.includes(environment) || environment.startsWith('env_')
      ? []
      : [
          {
            path: ['environments', index],
            severity: 'warning' as const,
            message: `\`${environment}\` is neither production, preview or development, nor the id of a custom environment`,
            hint: `a custom environment is named by its id: \`\${projects.NAME.customEnvironments.${environment}.id}\``,
          },
        ],
  );
