import type { Layout } from '../files/layout.ts'
import { PHP_REQUEST_SECONDS } from './limits.ts'

/** What PHP is told of a request: the values of Debian's own fastcgi.conf. */
export function fastcgiParameters(secure: boolean): Record<string, string> {
  return {
    QUERY_STRING: '$query_string',
    REQUEST_METHOD: '$request_method',
    CONTENT_TYPE: '$content_type',
    CONTENT_LENGTH: '$content_length',
    SCRIPT_NAME: '$fastcgi_script_name',
    // The real path: links of the panel's own are none of PHP's business, and its cache must see a change.
    SCRIPT_FILENAME: '$site_directory/$document_folder$fastcgi_script_name',
    PATH_INFO: '$rest_of_path',
    REQUEST_URI: '$request_uri',
    DOCUMENT_URI: '$document_uri',
    DOCUMENT_ROOT: '$site_directory/$document_folder',
    SERVER_PROTOCOL: '$server_protocol',
    REQUEST_SCHEME: '$scheme',
    ...(secure ? { HTTPS: 'on' } : {}),
    GATEWAY_INTERFACE: 'CGI/1.1',
    SERVER_SOFTWARE: 'nginx',
    REMOTE_ADDR: '$remote_addr',
    REMOTE_PORT: '$remote_port',
    REMOTE_USER: '$remote_user',
    SERVER_ADDR: '$server_addr',
    SERVER_PORT: '$server_port',
    SERVER_NAME: '$host',
    REDIRECT_STATUS: '200',
    // httpoxy: a request's `Proxy` header must not become the proxy of the program's own requests.
    HTTP_PROXY: '"" if_not_empty',
  }
}

/** Passes a request to the PHP of the site that was found for it. */
export const fastcgiPass = (layout: Layout, parameters: Record<string, string>): string[] => [
  ...Object.entries(parameters).map(([name, value]) => `fastcgi_param ${name} ${value};`),
  `fastcgi_pass unix:${layout.php}/$site/$client.s;`,
  'fastcgi_connect_timeout 10s;',
  `fastcgi_read_timeout ${PHP_REQUEST_SECONDS + 10}s;`,
  'fastcgi_buffer_size 32k;',
  'fastcgi_buffers 16 16k;',
]
