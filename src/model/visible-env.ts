/** The environment for a program that we start: without our own settings, such as the platform's token. */
export const visibleEnv = (env: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('TRUEUP_')));
