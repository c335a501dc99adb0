import { raise } from '../model/diagnostic.ts';

/**
 * Loads the client package of a store or a queue. Users install it beside trueup. It is never loaded from the folder of a configuration,
 * because that is not trusted. Throws `Problems` that say what to install.
 * @param what the subject of the message that needs the package
 */
export async function loadClientPackage<T>(
  name: string,
  load: () => Promise<T>,
  what = 'this ledger',
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    raise(
      'ledger/client',
      isMissing
        ? `${what} needs the package ${name}, which is not installed beside trueup`
        : `the package ${name}, which ${what} needs, cannot be loaded: ${message.split('\n')[0]}`,
      {
        hint: `install it where trueup is installed: \`npm install ${name}\`, or with --global if trueup is installed globally; nothing was changed`,
      },
    );
  }
}
