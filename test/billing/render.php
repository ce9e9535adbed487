<?php

/*
 * Stands for the billing system's template engine: renders a template of the module, or a theme's own in its place,
 * with Smarty, and writes what came of it.
 */

require '/usr/share/php/smarty4/Smarty.class.php';

$input = json_decode((string) stream_get_contents(STDIN), true);
$smarty = new Smarty();
$smarty->setTemplateDir($input['directories']);
$smarty->setCompileDir($input['scratch']);
$smarty->assign($input['vars']);
echo $smarty->fetch($input['templatefile'] . '.tpl');
