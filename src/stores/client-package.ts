import { Problems } from '../model/diagnostic.ts';

/**
 * Loads the client of a store or a queue, which is no part of this package: it is looked for beside trueup, never in the folder of a
 * configuration. Throws `Problems` that say what to install.
 */
export async function clientPackage<T>(
  name: string,
  load: () => Promise<T>,
  what = 'this ledger',
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw new Problems(
      'ledger/client',
      isMissing
        ? `${what} needs the package ${name}, which is not installed beside trueup`
        : `the package ${name}, which ${what} needs, cannot be loaded: ${message.split('\n')[0]}`,
      {
        hint: `install it where trueup is installed: \`npm install ${name}\`, or with --global as trueup itself; nothing was changed`,
      },
    );
  }
}
