import { openSources, type Sources } from '../../src/config/sources/sources.ts';

/**
 * Sources of which the environment may be read as a whole, of files only pictures beside the configuration and the `tracked` ones, as if
 * git tracked them, and programs not at all.
 */
export const allAllowed = (
  env: Record<string, string | undefined>,
  cwd: string,
  tracked: readonly string[] = [],
): Sources =>
  openSources({
    env,
    cwd,
    tracking: {
      workTreeOf: async () => (tracked.length > 0 ? cwd : undefined),
      tracked: async (_, files) => new Set(files.filter((file) => tracked.includes(file))),
    },
    allowances: {
      env: () => ({ allowed: true }),
      envShown: () => true,
      files: ['**/*.png', '*.svg'],
      commands: [],
      live: () => true,
      noteUse: () => {},
      unusedFlags: () => [],
    },
  });
