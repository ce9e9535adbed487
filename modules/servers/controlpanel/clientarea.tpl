{* The customer's page. To change it, copy it to templates/<theme>/modules/servers/controlpanel/clientarea.tpl. Every
   value is plain text, some of it from the panel: keep its escape. The braces too, since some themes read the output
   as a template once more. *}
{if $controlpanel.available}
<div class="controlpanel-usage">
<p><strong>{$controlpanel.texts.plan|escape:'html'}:</strong> {$controlpanel.plan|escape:'html'|replace:'{':'&#123;'|replace:'}':'&#125;'}</p>
<table class="table table-striped">
<thead><tr><th>{$controlpanel.texts.resource|escape:'html'}</th><th>{$controlpanel.texts.used|escape:'html'}</th><th>{$controlpanel.texts.limit|escape:'html'}</th><th></th></tr></thead>
<tbody>
{foreach $controlpanel.rows as $row}
<tr><td>{$row.name|escape:'html'}</td><td>{$row.used|escape:'html'}</td><td>{$row.limit|escape:'html'}</td><td>{if $row.level eq 'aviso'}<span class="label badge label-warning badge-warning">{$row.note|escape:'html'}</span>{elseif $row.level eq 'superado'}<span class="label badge label-danger badge-danger">{$row.note|escape:'html'}</span>{/if}</td></tr>
{/foreach}
</tbody>
</table>
<p class="text-muted small">{$controlpanel.measured|escape:'html'}</p>
<p><a class="btn btn-default btn-outline-secondary" target="_blank" rel="noopener noreferrer" href="{$controlpanel.url|escape:'html'}">{$controlpanel.texts.open|escape:'html'}</a></p>
</div>
{else}
<div class="alert alert-info">{$controlpanel.message|escape:'html'}</div>
{/if}
