/** A configuration or baseline that cannot be used; the message names the file and the place. */
export class ConfigError extends Error {
    constructor(message: string) {
        super(message);
        this.name = 'ConfigError';
    }
}
